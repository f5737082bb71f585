// A small application: an inventory read from standard input, with a report.
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

class Inventory {
    std::map<std::string, std::pair<int, double>> items;

public:
    void add(const std::string &name, int count, double price) {
        auto [place, fresh] = items.try_emplace(name, count, price);
        if (!fresh) {
            place->second.first += count;
            place->second.second = price;
        }
    }
    void remove(const std::string &name, int count) {
        auto &item = items.at(name);
        if (item.first < count)
            throw std::runtime_error("only " + std::to_string(item.first) + " " + name);
        item.first -= count;
    }
    double report() const {
        double total = 0;
        for (const auto &[name, item] : items) {
            total += item.first * item.second;
            std::cout << std::left << std::setw(6) << name << std::right << std::setw(4)
                      << item.first << '\n';
        }
        return total;
    }
};

int main() {
    Inventory inventory;
    std::string line, verb, name;
    for (int number = 1; std::getline(std::cin, line); number++) {
        std::istringstream words(line);
        int count = 0;
        double price = 0;
        words >> verb >> name >> count >> price;
        try {
            if (verb == "add") inventory.add(name, count, price);
            else if (verb == "remove") inventory.remove(name, count);
            else throw std::invalid_argument("unknown verb " + verb);
        } catch (const std::out_of_range &) {
            std::cout << number << ": no " << name << '\n';
        } catch (const std::exception &error) {
            std::cout << number << ": " << error.what() << '\n';
        }
    }
    std::cout << std::fixed << std::setprecision(2) << inventory.report() << '\n';
}

// Range for over arrays, containers, own iterators; structured bindings; initialisers. C++20.
#include <array>
#include <initializer_list>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

class Countdown {
    int from;

public:
    explicit Countdown(int from) : from(from) {}
    struct Iterator {
        int at;
        int operator*() const { return at; }
        Iterator &operator++() { --at; return *this; }
        bool operator!=(const Iterator &other) const { return at != other.at; }
    };
    Iterator begin() const { return {from}; }
    Iterator end() const { return {0}; }
};

static int total(std::initializer_list<int> values) {
    int sum = 0;
    for (int value : values)
        sum += value;
    return sum;
}

static std::tuple<int, std::string, double> row() { return {7, "seven", 7.5}; }

int main() {
    int squares[] = {1, 4, 9};
    for (int &square : squares)
        square *= 2;
    for (int square : squares) std::cout << square << ' ';
    for (int i : Countdown(3)) std::cout << i << ' ';
    std::cout << total({1, 2, 3}) << total({}) << '\n';

    std::map<std::string, std::vector<int>> table{{"odd", {1, 3}}, {"even", {2}}};
    for (auto &[name, numbers] : table) {
        numbers.push_back(static_cast<int>(name.size()));
        for (auto number : numbers)
            std::cout << name << ' ' << number << '\n';
    }
    auto [number, name, half] = row();
    std::cout << number << name << half << '\n';
    for (std::array<int, 2> pair{3, 4}; auto &item : pair)
        std::cout << item << '\n';
}

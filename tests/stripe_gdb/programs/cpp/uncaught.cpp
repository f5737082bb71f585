// Nobody catches it: std::terminate, SIGABRT.
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

static std::map<std::string, int> stock = {{"apple", 3}, {"pear", 1}};

static int take(const std::string &what, int count) {
    int &left = stock.at(what);
    if (left < count)
        throw std::runtime_error("only " + std::to_string(left) + " of " + what);
    left -= count;
    return left;
}

int main() {
    std::cout << "apple " << take("apple", 2) << std::endl;
    std::cout << "pear " << take("pear", 1) << std::endl;
    try {
        take("fig", 1);
    } catch (const std::out_of_range &) {
        std::cout << "no fig" << std::endl;
    }
    std::cout << "apple " << take("apple", 2) << std::endl;
    std::cout << "never here" << std::endl;
}

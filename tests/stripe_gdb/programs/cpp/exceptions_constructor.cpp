// Exceptions out of constructors: members built so far are destroyed; function try blocks.
#include <iostream>
#include <stdexcept>
#include <string>

struct Part {
    std::string name;
    Part(const char *name, bool broken = false) : name(name) {
        std::cout << "build " << name << '\n';
        if (broken)
            throw std::runtime_error(std::string(name) + " is broken");
    }
    ~Part() { std::cout << "destroy " << name << '\n'; }
};

struct Machine {
    Part wheel{"wheel"};
    Part engine;
    Part horn;
    Machine(bool good_engine, bool good_horn)
    try : engine("engine", !good_engine), horn("horn", !good_horn) {
        std::cout << "machine ready\n";
    } catch (const std::runtime_error &error) {
        std::cout << "no machine: " << error.what() << '\n';
    }
};

int main() {
    for (int kind = 0; kind < 3; kind++) {
        try {
            Machine machine(kind != 1, kind != 2);
            std::cout << "drive\n";
        } catch (const std::exception &error) {
            std::cout << "main heard: " << error.what() << '\n';
        }
    }
    try {
        Part parts[3] = {{"one"}, {"two", true}, {"three"}};
        std::cout << parts[0].name << '\n';
    } catch (...) {
        std::cout << "array undone\n";
    }
}

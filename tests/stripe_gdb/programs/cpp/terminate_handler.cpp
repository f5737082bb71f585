// A terminate handler of one's own, reached through noexcept.
#include <cstdlib>
#include <exception>
#include <iostream>

static int level;

static void at_the_end() {
    std::cout << "terminated at level " << level << std::endl;
    std::exit(level);
}

static void step() {
    std::cout << "level " << ++level << '\n';
    if (level == 6)
        throw level;
}

static void climb(int steps) noexcept {
    for (int i = 0; i < steps; i++)
        step();
}

int main() {
    std::set_terminate(at_the_end);
    climb(2);
    try {
        climb(5);
    } catch (int) {
        std::cout << "never caught\n";
    }
    return 0;
}

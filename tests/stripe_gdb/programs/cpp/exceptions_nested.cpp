// Exceptions within handlers: rethrown, replaced, nested with std::throw_with_nested.
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

static void low(int level) {
    if (level == 0)
        throw std::runtime_error("bottom");
    try {
        low(level - 1);
    } catch (const std::runtime_error &error) {
        std::cout << "passing level " << level << '\n';
        if (level == 1)
            throw;
        std::throw_with_nested(std::logic_error("level " + std::to_string(level)));
    }
}

static void tell(const std::exception &error, int indent = 0) {
    std::cout << std::string(indent, ' ') << error.what() << '\n';
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &inner) {
        tell(inner, indent + 2);
    }
}

int main() {
    for (int level = 0; level < 3; level++) {
        try {
            low(level);
        } catch (const std::exception &error) {
            tell(error);
        }
    }
    try {
        try {
            throw 1;
        } catch (int first) {
            try {
                throw first + 1;
            } catch (int second) {
                std::cout << first << ' ' << second << '\n';
            }
            throw;
        }
    } catch (int again) {
        std::cout << "again " << again << '\n';
    }
    std::cout << (std::current_exception() ? "pending" : "none") << '\n';
}

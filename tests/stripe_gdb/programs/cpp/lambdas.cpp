// Lambdas: captures by value, by reference, by move, mutable, generic, recursive, returned.
#include <functional>
#include <iostream>
#include <memory>
#include <utility>

static std::function<int()> counter(int start) {
    return [start]() mutable {
        start += 2;
        return start;
    };
}

int main() {
    int total = 0, factor = 3;
    auto add = [&total, factor](int value) { total += value * factor; };
    factor = 100;
    for (int i = 1; i <= 3; i++)
        add(i);
    std::cout << "total " << total << '\n';

    auto first = counter(0), second = counter(10);
    first();
    std::cout << first() << ' ' << second() << ' ' << first() << '\n';

    auto twice = [](auto value) { return value + value; };
    std::cout << twice(4) << ' ' << twice(std::string("ab")) << '\n';

    std::function<int(int)> factorial = [&factorial](int n) {
        return n < 2 ? 1 : n * factorial(n - 1);
    };
    std::cout << factorial(6) << '\n';

    auto owned = std::make_unique<int>(5);
    auto consume = [owned = std::move(owned), &total] {
        total = *owned;
        return total;
    };
    std::cout << consume() << ' ' << (owned == nullptr) << ' ' << total << '\n';
    int result = [&] {
        for (int i = 0;; i++)
            if (i * i > total)
                return i;
    }();
    std::cout << result << '\n';
}

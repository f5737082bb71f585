// Variadic templates: recursion over a pack, folds, forwarding, if constexpr.
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

static int sum() { return 0; }

template <typename... Rest>
int sum(int first, Rest... rest) {
    return first + sum(rest...);
}

template <typename... Values>
auto folded(Values... values) {
    return (values * ... * 1);
}

template <typename T>
std::string described(const T &value) {
    std::ostringstream out;
    if constexpr (std::is_integral_v<T>) {
        out << "int " << value;
    } else if constexpr (std::is_floating_point_v<T>) {
        out << "real " << value;
    } else {
        out << "text " << value;
    }
    return out.str();
}

template <typename... Values>
void tell(const Values &...values) {
    int position = 0;
    ((std::cout << position++ << ": " << described(values) << '\n'), ...);
}

template <typename F, typename... Arguments>
auto called(F &&f, Arguments &&...arguments) {
    std::cout << sizeof...(arguments) << " arguments\n";
    return std::forward<F>(f)(std::forward<Arguments>(arguments)...);
}

int main() {
    std::cout << sum(1, 2, 3, 4) << ' ' << folded(2, 3, 7) << '\n';
    tell(42, 2.5, "six", std::string("seven"));
    std::cout << called([](int a, int b) { return a - b; }, 9, 4) << '\n';
    std::cout << called(folded<int, int>, 6, 6) << '\n';
}

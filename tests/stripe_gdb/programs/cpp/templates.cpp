// Templates: functions, classes, specialisation, non-type and default arguments.
#include <iostream>
#include <string>

template <typename T>
T largest(T a, T b) {
    if (a < b)
        return b;
    return a;
}

template <typename T, int N = 4>
class Ring {
    T items[N] = {};
    int start = 0, used = 0;

public:
    void push(const T &item) {
        items[(start + used) % N] = item;
        if (used < N)
            used++;
        else
            start = (start + 1) % N;
    }
    T at(int i) const { return items[(start + i) % N]; }
    int size() const { return used; }
};

template <typename T>
struct Show {
    static void it(const T &value) { std::cout << value << ' '; }
};
template <>
struct Show<bool> {
    static void it(bool value) { std::cout << (value ? "yes " : "no "); }
};
template <typename T>
struct Show<T *> {
    static void it(const T *value) { std::cout << '*'; Show<T>::it(*value); }
};

template <int N>
struct Factorial { static constexpr int value = N * Factorial<N - 1>::value; };
template <>
struct Factorial<0> { static constexpr int value = 1; };

int main() {
    Ring<int> numbers;
    for (int i = 0; i < 6; i++) numbers.push(i * i);
    Ring<std::string, 2> words;
    for (const char *word : {"a", "b", "c"}) words.push(word);
    for (int i = 0; i < numbers.size(); i++) Show<int>::it(numbers.at(i));
    for (int i = 0; i < words.size(); i++) Show<std::string>::it(words.at(i));
    int seven = 7;
    Show<bool>::it(largest(3, 2) == 3);
    Show<int *>::it(&seven);
    std::cout << largest(std::string("x"), std::string("y")) << ' ' << Factorial<6>::value << '\n';
}

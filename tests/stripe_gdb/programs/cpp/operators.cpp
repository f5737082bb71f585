// Operator overloading: arithmetic, comparison, index, call, conversion, increment, output.
#include <iostream>

class Fraction {
    int top, bottom;

    static int divisor(int a, int b) { return b ? divisor(b, a % b) : (a < 0 ? -a : a); }

public:
    Fraction(int top = 0, int bottom = 1) : top(top), bottom(bottom) {
        int common = divisor(top, bottom);
        this->top /= common;
        this->bottom /= common;
    }
    Fraction operator+(const Fraction &other) const {
        return {top * other.bottom + other.top * bottom, bottom * other.bottom};
    }
    Fraction &operator*=(const Fraction &other) {
        *this = Fraction(top * other.top, bottom * other.bottom);
        return *this;
    }
    Fraction operator-() const { return {-top, bottom}; }
    Fraction &operator++() { return *this = *this + 1; }
    Fraction operator++(int) { Fraction old = *this; ++*this; return old; }
    bool operator==(const Fraction &o) const { return top == o.top && bottom == o.bottom; }
    bool operator<(const Fraction &o) const { return top * o.bottom < o.top * bottom; }
    explicit operator double() const { return static_cast<double>(top) / bottom; }
    int operator[](int i) const { return i == 0 ? top : bottom; }
    Fraction operator()(int factor) const { return Fraction(top * factor, bottom); }
    friend std::ostream &operator<<(std::ostream &out, const Fraction &f);
};

std::ostream &operator<<(std::ostream &out, const Fraction &f) {
    out << f.top;
    if (f.bottom != 1)
        out << '/' << f.bottom;
    return out;
}

int main() {
    Fraction half(1, 2), third(2, 6), sum = half + third;
    std::cout << sum << ' ' << -sum << ' ' << half(4) << '\n';
    sum *= 6;
    std::cout << sum++ << ' ' << sum << ' ' << third[0] << third[1] << '\n';
    std::cout << (third < half) << (half == Fraction(3, 6)) << ' ' << double(half) << '\n';
}

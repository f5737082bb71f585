// constexpr functions at compile time and at run time; static_assert; enum class.
#include <array>
#include <iostream>

constexpr int fibonacci(int n) {
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int next = a + b;
        a = b;
        b = next;
    }
    return a;
}

constexpr std::array<int, 6> table() {
    std::array<int, 6> values{};
    for (int i = 0; i < 6; i++)
        values[i] = i * i;
    return values;
}

static_assert(fibonacci(10) == 55);

enum class Direction { north, east, south, west };

constexpr Direction turned(Direction d) {
    return static_cast<Direction>((static_cast<int>(d) + 1) % 4);
}

int main() {
    constexpr int compiled = fibonacci(20);
    int n = 12;
    std::cout << compiled << ' ' << fibonacci(n) << '\n';
    constexpr auto squares = table();
    int sum = 0;
    for (int square : squares)
        sum += square;
    std::cout << "sum " << sum << '\n';
    Direction direction = Direction::south;
    int x = 0, y = 0;
    for (int step = 0; step < 6; step++, direction = turned(direction)) {
        switch (direction) {
        case Direction::north: y++; break;
        case Direction::south: y--; break;
        case Direction::east: x++; break;
        case Direction::west: x--; break;
        }
        std::cout << x << ',' << y << ' ';
    }
    std::cout << '\n';
}

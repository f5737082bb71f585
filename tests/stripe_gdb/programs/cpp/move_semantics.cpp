// Copies and moves: constructors, assignments, returning, elision, self-assignment.
#include <iostream>
#include <utility>
#include <vector>

class Buffer {
    int *data;
    int size;

public:
    static inline int copies = 0, moves = 0, alive = 0;
    explicit Buffer(int size) : data(new int[size]{}), size(size) { alive++; }
    Buffer(const Buffer &other) : Buffer(other.size) {
        copies++;
        for (int i = 0; i < size; i++)
            data[i] = other.data[i];
    }
    Buffer(Buffer &&other) noexcept
        : data(std::exchange(other.data, nullptr)), size(std::exchange(other.size, 0)) {
        moves++;
        alive++;
    }
    Buffer &operator=(Buffer other) noexcept {
        std::swap(data, other.data);
        std::swap(size, other.size);
        return *this;
    }
    ~Buffer() {
        delete[] data;
        alive--;
    }
    int length() const { return size; }
};

static Buffer made(int size) {
    Buffer result(size);
    return result;
}

int main() {
    {
        Buffer a = made(3), b(a), c(std::move(a));
        std::cout << a.length() << b.length() << c.length() << '\n';
        a = b;
        b = Buffer(5);
        c = std::move(b);
        std::cout << a.length() << b.length() << c.length() << ' ' << Buffer::alive << '\n';
        std::vector<Buffer> many;
        many.reserve(2);
        many.push_back(a);
        many.push_back(std::move(a));
        std::cout << Buffer::copies << " copies, " << Buffer::moves << " moves\n";
    }
    std::cout << "alive " << Buffer::alive << '\n';
}

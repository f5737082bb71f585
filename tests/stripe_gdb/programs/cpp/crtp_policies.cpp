// Static polymorphism: the curiously recurring template, policies, tag dispatch.
#include <iostream>
#include <iterator>
#include <list>
#include <vector>

template <typename Derived>
struct Counted {
    static inline int count = 0;
    Counted() { count++; }
    ~Counted() { count--; }
    int weight() const { return 10 * static_cast<const Derived *>(this)->units(); }
};

struct Apple : Counted<Apple> {
    int units() const { return 1; }
};

struct Crate : Counted<Crate> {
    int size;
    explicit Crate(int size) : size(size) {}
    int units() const {
        int units = 2;
        for (int i = 0; i < size; i++)
            units += Apple().units();
        return units;
    }
};

template <typename It>
int step(It it, int n, std::random_access_iterator_tag) {
    std::cout << "jump ";
    return it[n];
}

template <typename It>
int step(It it, int n, std::bidirectional_iterator_tag) {
    std::cout << "walk ";
    while (n-- > 0)
        ++it;
    return *it;
}

template <typename Container>
int nth(const Container &c, int n) {
    return step(c.begin(), n,
                typename std::iterator_traits<typename Container::const_iterator>::iterator_category());
}

int main() {
    Apple apple;
    Crate small(1), big(3);
    std::cout << apple.weight() << ' ' << small.weight() << ' ' << big.weight() << '\n';
    std::cout << Counted<Apple>::count << ' ' << Counted<Crate>::count << '\n';
    std::cout << nth(std::vector<int>{5, 6, 7}, 2) << '\n';
    std::cout << nth(std::list<int>{5, 6, 7}, 1) << '\n';
}

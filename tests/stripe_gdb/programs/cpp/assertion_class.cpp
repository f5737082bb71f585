// An assertion in a member function fails, deep in recursion.
#include <cassert>
#include <iostream>

struct Tree {
    int low, high;
    Tree *left = nullptr, *right = nullptr;

    Tree(int low, int high) : low(low), high(high) {
        assert(low <= high);
        if (high - low < 2)
            return;
        int middle = (low + high) / 2;
        left = new Tree(low, middle);
        right = new Tree(middle + 2, high); // the fault: should be + 1
    }
    ~Tree() {
        delete left;
        delete right;
    }
    int nodes() const {
        return 1 + (left ? left->nodes() : 0) + (right ? right->nodes() : 0);
    }
};

int main() {
    for (int size = 1; size < 8; size += 3) {
        Tree tree(0, size);
        std::cout << size << ": " << tree.nodes() << std::endl;
    }
    std::cout << Tree(0, 2).nodes() << std::endl;
}

// Destructors: order, early return, break, continue, exceptions, temporaries.
#include <iostream>

struct Guard {
    const char *name;
    explicit Guard(const char *name) : name(name) { std::cout << '+' << name << ' '; }
    ~Guard() { std::cout << '-' << name << ' '; }
    Guard(const Guard &) = delete;
    int length() const {
        int n = 0;
        while (name[n])
            n++;
        return n;
    }
};

static int leave(int how) {
    Guard outer("outer");
    for (int i = 0; i < 3; i++) {
        Guard inner("inner");
        if (how == 0)
            return i;
        if (how == 1)
            break;
        if (how == 2 && i == 1)
            continue;
        if (how == 3)
            throw how;
        Guard late("late");
    }
    return -1;
}

int main() {
    for (int how = 0; how < 4; how++) {
        try {
            int result = leave(how);
            std::cout << "= " << result << '\n';
        } catch (int thrown) {
            std::cout << "! " << thrown << '\n';
        }
    }
    int length = Guard("temporary").length() + Guard("other").length();
    std::cout << "length " << length << '\n';
    Guard *heap = new Guard("heap");
    delete heap;
    std::cout << '\n';
    static Guard forever("static");
    Guard last("last");
    std::cout << '\n';
}

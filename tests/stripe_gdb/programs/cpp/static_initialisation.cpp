// Static objects: before main, in a function at the first call, after main.
#include <iostream>
#include <string>

static int order;

struct Stage {
    std::string name;
    int number;
    explicit Stage(const char *name) : name(name), number(++order) {
        std::cout << number << " open " << name << std::endl;
    }
    ~Stage() { std::cout << number << " close " << name << std::endl; }
};

static Stage first("first");
static int computed = [] {
    int sum = 0;
    for (int i = 1; i <= 4; i++)
        sum += i;
    return sum;
}();

class Registry {
    static inline int entries = 0;
    Stage stage{"registry"};
    Registry() = default;

public:
    static Registry &instance() {
        static Registry registry;
        entries++;
        return registry;
    }
    int count() const { return entries; }
};

static Stage second("second");

int main() {
    std::cout << "main, computed " << computed << std::endl;
    Registry::instance();
    Registry::instance();
    std::cout << "entries " << Registry::instance().count() << std::endl;
    Stage local("local");
    return order == 4 ? 0 : 1;
}

// Crashes: a virtual call through a null pointer.
#include <iostream>
#include <map>
#include <string>

struct Command {
    virtual ~Command() = default;
    virtual int run(int value) = 0;
};

struct Increment : Command {
    int run(int value) override { return value + 1; }
};

struct Double : Command {
    int run(int value) override { return value * 2; }
};

static std::map<std::string, Command *> commands;

static Command *named(const std::string &name) {
    auto found = commands.find(name);
    return found == commands.end() ? nullptr : found->second;
}

int main() {
    Increment increment;
    Double twice;
    commands["inc"] = &increment;
    commands["dbl"] = &twice;
    int value = 1;
    for (const char *name : {"inc", "dbl", "dbl", "dec", "inc"}) {
        std::cout << name << std::flush;
        value = named(name)->run(value);
        std::cout << ' ' << value << std::endl;
    }
}

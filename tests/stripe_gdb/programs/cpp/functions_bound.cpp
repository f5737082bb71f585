// std::function, pointers to members, an event table, std::ref.
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

class Lamp {
public:
    bool on = false;
    void toggle() { on = !on; }
    void set(bool value) { on = value; }
};

class Events {
    std::map<std::string, std::vector<std::function<int(int)>>> handlers;

public:
    void connect(const std::string &name, std::function<int(int)> handler) {
        handlers[name].push_back(std::move(handler));
    }
    int fire(const std::string &name, int value) {
        auto found = handlers.find(name);
        if (found == handlers.end())
            return -1;
        int last = 0;
        for (auto &handler : found->second)
            last = handler(value);
        return last;
    }
};

static int twice(int value) { return value * 2; }

int main() {
    Events events;
    int sum = 0;
    events.connect("add", [&sum](int value) { return sum += value; });
    events.connect("add", twice);
    events.connect("clear", [&](int) { int old = sum; sum = 0; return old; });
    for (int i = 1; i < 4; i++)
        std::cout << events.fire("add", i) << ' ';
    std::cout << sum << ' ' << events.fire("clear", 0) << ' ' << sum << ' '
              << events.fire("none", 0) << '\n';

    Lamp lamp;
    void (Lamp::*action)() = &Lamp::toggle;
    bool Lamp::*state = &Lamp::on;
    (lamp.*action)();
    std::cout << lamp.*state;
    auto set = std::bind(&Lamp::set, std::ref(lamp), std::placeholders::_1);
    set(false);
    std::cout << lamp.on << '\n';
}

// std::optional, std::variant with visit, std::unique_ptr. Needs C++17.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using Value = std::variant<int, double, std::string>;

static std::optional<int> index_of(const std::vector<Value> &values, const std::string &wanted) {
    for (std::size_t i = 0; i < values.size(); i++)
        if (auto *text = std::get_if<std::string>(&values[i]))
            if (*text == wanted)
                return static_cast<int>(i);
    return std::nullopt;
}

struct Printer {
    void operator()(int value) const { std::cout << "int " << value << '\n'; }
    void operator()(double value) const { std::cout << "double " << value << '\n'; }
    void operator()(const std::string &value) const { std::cout << "string " << value << '\n'; }
};

struct Node {
    int value;
    std::unique_ptr<Node> next;
    Node(int value, std::unique_ptr<Node> next) : value(value), next(std::move(next)) {}
    ~Node() { std::cout << "free " << value << '\n'; }
};

int main() {
    std::vector<Value> values{1, 2.5, std::string("three")};
    values.push_back(std::string("four"));
    for (const Value &value : values)
        std::visit(Printer{}, value);
    for (const char *wanted : {"four", "five"}) {
        auto found = index_of(values, wanted);
        std::cout << wanted << ' ' << found.value_or(-1) << '\n';
    }
    try {
        std::cout << std::get<int>(values[1]);
    } catch (const std::bad_variant_access &) {
        std::cout << "not an int\n";
    }
    std::unique_ptr<Node> list;
    for (int i = 0; i < 3; i++)
        list = std::make_unique<Node>(i, std::move(list));
    list = std::move(list->next);
    std::cout << "head " << list->value << '\n';
}

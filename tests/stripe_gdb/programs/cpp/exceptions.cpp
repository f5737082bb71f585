// Exceptions: by type, order of handlers, catch-all, through several activations.
#include <iostream>
#include <stdexcept>
#include <string>

static int parse(const std::string &text) {
    if (text.empty())
        throw 17;
    if (text == "out")
        throw std::out_of_range("too far");
    if (text == "logic")
        throw std::logic_error("contradiction");
    if (text == "text")
        throw "a text";
    return static_cast<int>(text.size());
}

static int twice(const std::string &text) {
    int value = parse(text);
    return 2 * value;
}

int main() {
    int caught = 0;
    for (const char *text : {"four", "out", "", "logic", "text"}) {
        try {
            std::cout << text << ": ";
            std::cout << twice(text) << '\n';
        } catch (const std::out_of_range &error) {
            std::cout << "range " << error.what() << '\n';
            caught++;
        } catch (const std::exception &error) {
            std::cout << "other " << error.what() << '\n';
            caught += 10;
        } catch (int number) {
            std::cout << "number " << number << '\n';
            caught += number * 10;
        } catch (...) {
            std::cout << "something\n";
            caught += 1000;
        }
    }
    std::cout << "caught " << caught << '\n';
}

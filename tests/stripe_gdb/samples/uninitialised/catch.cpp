#include <cstdio>
#include <stdexcept>
int main()
{
    for (int i = 0; i < 2; i++) {
        try {
            throw std::runtime_error("wrong");
        } catch (const std::exception &error) {
            puts(error.what());
        }
    }
}

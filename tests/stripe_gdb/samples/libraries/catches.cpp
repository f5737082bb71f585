#include <cstdio>
int scale(int);
int main()
{
    int waste = 1;
    try {
        scale(3);
    } catch (int v) {
        std::printf("%d\n", v);
    }
    return waste - 1;
}

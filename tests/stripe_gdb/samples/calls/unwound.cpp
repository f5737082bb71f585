#include <cstdio>
struct Guard {
    int number;
    Guard(int n) : number(n)
    {
        std::printf("made %d\n", number);
    }
    ~Guard()
    {
        std::printf("gone %d\n", number);
    }
};
static int fails(int x)
{
    Guard guard(1);
    if (x > 2)
        throw x;
    return x;
}
int main()
{
    int caught = 0;
    Guard outer(0);
    try {
        std::printf("result %d\n", fails(1));
        std::printf("result %d\n", fails(5));
    } catch (int number) {
        caught = number;
    }
    std::printf("caught %d\n", caught);
    return 0;
}

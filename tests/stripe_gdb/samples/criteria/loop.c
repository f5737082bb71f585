#include <stdio.h>
struct pair { int first, second; };
int main(void)
{
    struct pair pair = {1, 2};
    int total = 10;
    for (int i = 0; i < 3; i++) {
        total += pair.second;
        pair.first = i;
    }
    puts("done");
    return 0;
}

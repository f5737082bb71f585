#include <stdio.h>
#include <time.h>
int main(void)
{
    int odd = 0;
    for (int round = 0; round < 64; round++)
        if (clock() & 1)
            odd += round;
    printf("%d %ld\n", odd, (long)clock());
    return 0;
}

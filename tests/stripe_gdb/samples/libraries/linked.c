#include <stdio.h>
int scale(int);
int main(void)
{
    int total = 0, waste = 2;
    for (int i = 1; i < 5; i++)
        total += scale(i);
    waste--;
    printf("%d\n", total);
    return 0;
}

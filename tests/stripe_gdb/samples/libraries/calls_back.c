#include <stdio.h>
int scale(int);
int back(int v)
{
    int waste = v;
    waste++;
    return v + 1;
}
int main(void)
{
    printf("%d\n", scale(3));
    return 0;
}

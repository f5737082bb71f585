#include <stdio.h>
#include <stdlib.h>
int bad;
static void leave(void)
{
    puts("leaving");
}
static int check(int x)
{
    if (x) exit(3);
    return x;
}
int main(void)
{
    atexit(leave);
    bad = 1;
    puts("begin");
    fflush(stdout);
    printf("good: %d\n", check(bad));
    return 0;
}

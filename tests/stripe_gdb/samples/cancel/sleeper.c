#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int seconds = 0;
    seconds = 600;
    seconds = 0;
    puts("slept");
    sleep(seconds);
    puts("awake");
    return 0;
}

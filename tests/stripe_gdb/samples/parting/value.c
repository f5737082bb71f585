#include <stdio.h>
#include <time.h>
struct timespec now;
static long pick(int round)
{
    long found = round;
    if (round == 2) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        found = now.tv_sec * 1000000000 + now.tv_nsec;
    }
    return found;
}
int main(void)
{
    long sum = 0;
    for (int round = 0; round < 4; round++)
        sum += pick(round);
    fprintf(stderr, "sum\n");
    printf("%ld\n", sum);
    return 3;
}

#include <stdio.h>
static int rounds(int limit)
{
    int done = 0;
    int round = 0;
    while (1) {
        round++;
        if (round == limit)
            break;
        if (round > 9)
            round = 9;
    }
    done = round;
    return done;
}
int main(void)
{
    int limit = 20;
    printf("%d\n", rounds(limit));
    return 0;
}

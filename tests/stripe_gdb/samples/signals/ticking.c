#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
int main(void)
{
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int total = 0, left = 3;
    signal(SIGALRM, SIG_IGN);
    setitimer(ITIMER_REAL, &often, 0);
    for (int i = 0; i < 400; i++)
        total += i;
    setitimer(ITIMER_REAL, &never, 0);
    do left--; while (left > 0);
    printf("%d\n", total);
    return 0;
}

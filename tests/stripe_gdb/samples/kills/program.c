#include <stdio.h>
#include <unistd.h>
static int total;
int main(void)
{
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        close(0); close(1); close(2);
        sleep(10000);
        _exit(0);
    }
    for (int i = 0; i < ROUNDS; i++) {
        total += i;
        total ^= 3;
    }
    printf("%d\n", total);
    return 0;
}

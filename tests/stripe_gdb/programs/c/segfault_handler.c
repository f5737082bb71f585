/* A handler for SIGSEGV that leaves by siglongjmp, twice. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf before;
static volatile int caught;

static void on_fault(int number)
{
    (void)number;
    caught++;
    siglongjmp(before, caught);
}

static int read_from(const volatile int *place)
{
    return *place;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_fault};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);

    int good = 7;
    for (volatile int round = 0; round < 2; round++) {
        int code = sigsetjmp(before, 1);
        if (code != 0) {
            printf("caught %d in round %d\n", code, round);
            continue;
        }
        printf("good %d\n", read_from(&good));
        printf("bad %d\n", read_from(NULL));
    }
    printf("caught %d\n", caught);
    return 0;
}

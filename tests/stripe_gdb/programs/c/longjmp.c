/* setjmp and longjmp: out of several activations, several times to the same place. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top;
static int depth;

static void descend(int levels)
{
    depth++;
    printf("level %d\n", levels);
    if (levels == 0)
        longjmp(top, depth);
    if (levels > 0)
        descend(levels - 1);
    printf("never here\n");
}

static int divide(int a, int b)
{
    if (b == 0)
        longjmp(top, -1);
    return a / b;
}

int main(void)
{
    volatile int round = 0;
    int code = setjmp(top);
    printf("round %d code %d depth %d\n", round, code, depth);
    round++;
    if (round < 4)
        descend(round);

    switch (setjmp(top)) {
    case 0:
        printf("quotient %d\n", divide(12, 4));
        printf("quotient %d\n", divide(1, 0));
        break;
    case -1:
        printf("division by zero avoided\n");
        break;
    default:
        return 9;
    }
    return 0;
}

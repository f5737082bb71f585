/* Labels as values (GNU C): a small machine with threaded code. */
#include <stdio.h>

enum { PUSH, ADD, MUL, SHOW, LOOP, HALT };

int main(void)
{
    static const int code[] = {PUSH, 1, PUSH, 2, MUL, SHOW, LOOP, 2, PUSH, 5, ADD, SHOW, HALT};
    static void *const labels[] = {&&push, &&add, &&mul, &&show, &&loop, &&halt};
    int stack[8], top = 0, rounds = 0;
    const int *pc = code;

    goto *labels[*pc];
push:
    stack[top++] = pc[1];
    pc += 2;
    goto *labels[*pc];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *labels[*++pc];
mul:
    top--;
    stack[top - 1] *= stack[top];
    goto *labels[*++pc];
show:
    printf("top %d\n", stack[top - 1]);
    goto *labels[*++pc];
loop:
    if (++rounds < 4)
        pc = code + pc[1];
    else
        pc += 2;
    goto *labels[*pc];
halt:
    printf("rounds %d\n", rounds);
    return 0;
}

/* A machine with a stack that runs a program: the factorial of 6. */
#include <stdio.h>

enum op { PUSH, LOAD, STORE, SUB, MUL, JUMP_IF, PRINT, HALT };

struct instruction {
    enum op op;
    int operand;
};

static const struct instruction program[] = {
    {PUSH, 6}, {STORE, 0}, {PUSH, 1}, {STORE, 1},
    {LOAD, 1}, {LOAD, 0}, {MUL, 0}, {STORE, 1},
    {LOAD, 0}, {PUSH, 1}, {SUB, 0}, {STORE, 0},
    {LOAD, 0}, {JUMP_IF, 4}, {LOAD, 1}, {PRINT, 0}, {HALT, 0},
};

static int run(const struct instruction *code)
{
    int stack[8], sp = 0, memory[2] = {0}, pc = 0, executed = 0;
    for (;;) {
        struct instruction now = code[pc++];
        executed++;
        switch (now.op) {
        case PUSH: stack[sp++] = now.operand; break;
        case LOAD: stack[sp++] = memory[now.operand]; break;
        case STORE: memory[now.operand] = stack[--sp]; break;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case JUMP_IF:
            if (stack[--sp])
                pc = now.operand;
            break;
        case PRINT: printf("%d\n", stack[--sp]); break;
        case HALT: return executed;
        }
    }
}

int main(void)
{
    int executed = run(program);
    printf("%d instructions\n", executed);
    return 0;
}

/* A small stack machine: an assembler with labels, and the machine that runs what it made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CODE 256
#define MAX_LABELS 32
#define STACK 64

enum opcode {
    PUSH, POP, DUP, SWAP, OVER, ADD, SUB, MUL, DIV, MOD, LESS, EQUAL, NOT,
    LOAD, STORE, JUMP, BRANCH, CALL, RETURN, PRINT, EMIT, HALT, OPCODES
};

static const struct {
    const char *name;
    int operand;
} instructions[OPCODES] = {
    {"push", 1}, {"pop", 0}, {"dup", 0}, {"swap", 0}, {"over", 0}, {"add", 0},
    {"sub", 0}, {"mul", 0}, {"div", 0}, {"mod", 0}, {"less", 0}, {"equal", 0},
    {"not", 0}, {"load", 1}, {"store", 1}, {"jump", 1}, {"branch", 1}, {"call", 1},
    {"return", 0}, {"print", 0}, {"emit", 0}, {"halt", 0},
};

struct label {
    char name[16];
    int address;
};

struct fixup {
    char name[16];
    int place;
};

struct machine {
    int stack[STACK];
    int depth;
    int frames[STACK];
    int frame;
    int memory[16];
    int counter;
    int steps;
    const char *failure;
};

static int code[MAX_CODE];
static int size;
static struct label labels[MAX_LABELS];
static int label_count;
static struct fixup fixups[MAX_LABELS];
static int fixup_count;

static int opcode_of(const char *name)
{
    int i;

    for (i = 0; i < OPCODES; i++)
        if (strcmp(instructions[i].name, name) == 0)
            return i;
    return -1;
}

static int label_address(const char *name)
{
    int i;

    for (i = 0; i < label_count; i++)
        if (strcmp(labels[i].name, name) == 0)
            return labels[i].address;
    return -1;
}

static int assemble_line(const char *line)
{
    char word[16], operand[16];
    int found = sscanf(line, "%15s %15s", word, operand);
    int length;
    int opcode;

    if (found < 1 || word[0] == ';')
        return 1;
    length = strlen(word);
    if (word[length - 1] == ':') {
        word[length - 1] = '\0';
        strcpy(labels[label_count].name, word);
        labels[label_count].address = size;
        label_count++;
        return 1;
    }
    opcode = opcode_of(word);
    if (opcode < 0)
        return 0;
    code[size++] = opcode;
    if (instructions[opcode].operand) {
        if (found < 2)
            return 0;
        if ((operand[0] >= '0' && operand[0] <= '9') || operand[0] == '-') {
            code[size++] = atoi(operand);
        } else {
            strcpy(fixups[fixup_count].name, operand);
            fixups[fixup_count].place = size++;
            fixup_count++;
        }
    }
    return 1;
}

static int assemble(FILE *stream)
{
    char line[80];
    int number = 0;
    int i;

    while (fgets(line, sizeof line, stream) != NULL) {
        number++;
        if (!assemble_line(line)) {
            printf("line %d: what is this?\n", number);
            return 0;
        }
    }
    for (i = 0; i < fixup_count; i++) {
        int address = label_address(fixups[i].name);
        if (address < 0) {
            printf("no label %s\n", fixups[i].name);
            return 0;
        }
        code[fixups[i].place] = address;
    }
    return 1;
}

static void push(struct machine *machine, int value)
{
    if (machine->depth == STACK) {
        machine->failure = "stack overflow";
        return;
    }
    machine->stack[machine->depth++] = value;
}

static int pop(struct machine *machine)
{
    if (machine->depth == 0) {
        machine->failure = "stack underflow";
        return 0;
    }
    return machine->stack[--machine->depth];
}

static void arithmetic(struct machine *machine, int opcode)
{
    int right = pop(machine);
    int left = pop(machine);

    switch (opcode) {
    case ADD:
        push(machine, left + right);
        break;
    case SUB:
        push(machine, left - right);
        break;
    case MUL:
        push(machine, left * right);
        break;
    case DIV:
    case MOD:
        if (right == 0) {
            machine->failure = "division by zero";
            break;
        }
        push(machine, opcode == DIV ? left / right : left % right);
        break;
    case LESS:
        push(machine, left < right);
        break;
    case EQUAL:
        push(machine, left == right);
        break;
    }
}

static int step(struct machine *machine)
{
    int opcode = code[machine->counter++];
    int operand = 0;
    int value;
    int other;

    machine->steps++;
    if (instructions[opcode].operand)
        operand = code[machine->counter++];
    switch (opcode) {
    case PUSH:
        push(machine, operand);
        break;
    case POP:
        pop(machine);
        break;
    case DUP:
        value = pop(machine);
        push(machine, value);
        push(machine, value);
        break;
    case SWAP:
        value = pop(machine);
        other = pop(machine);
        push(machine, value);
        push(machine, other);
        break;
    case OVER:
        value = machine->stack[machine->depth - 2];
        push(machine, value);
        break;
    case NOT:
        push(machine, !pop(machine));
        break;
    case LOAD:
        push(machine, machine->memory[operand]);
        break;
    case STORE:
        machine->memory[operand] = pop(machine);
        break;
    case JUMP:
        machine->counter = operand;
        break;
    case BRANCH:
        if (pop(machine))
            machine->counter = operand;
        break;
    case CALL:
        machine->frames[machine->frame++] = machine->counter;
        machine->counter = operand;
        break;
    case RETURN:
        machine->counter = machine->frames[--machine->frame];
        break;
    case PRINT:
        printf("%d\n", pop(machine));
        break;
    case EMIT:
        putchar(pop(machine));
        putchar('\n');
        break;
    case HALT:
        return 0;
    default:
        arithmetic(machine, opcode);
    }
    return machine->failure == NULL;
}

int main(void)
{
    static struct machine machine;

    if (!assemble(stdin))
        return 1;
    code[size] = HALT;
    while (machine.steps < 1000 && step(&machine))
        continue;
    if (machine.failure != NULL)
        printf("failed: %s at %d\n", machine.failure, machine.counter);
    printf("%d steps, depth %d\n", machine.steps, machine.depth);
    return 0;
}

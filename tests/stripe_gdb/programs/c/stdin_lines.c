/* Reads lines from standard input: commands of a stack calculator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double stack[16];
static int top;

static double pop(void)
{
    return top ? stack[--top] : 0;
}

static int execute(const char *word)
{
    double right;
    if (strcmp(word, "+") == 0)
        right = pop(), stack[top - 1] += right;
    else if (strcmp(word, "*") == 0)
        right = pop(), stack[top - 1] *= right;
    else if (strcmp(word, "-") == 0) {
        right = pop();
        stack[top - 1] -= right;
    } else if (strcmp(word, "print") == 0)
        printf("%g\n", top ? stack[top - 1] : 0);
    else if (strcmp(word, "quit") == 0)
        return 0;
    else
        stack[top++] = atof(word);
    return 1;
}

int main(void)
{
    char line[80];
    int number = 0;
    while (fgets(line, sizeof line, stdin)) {
        number++;
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
            if (!execute(word)) {
                printf("quit on line %d\n", number);
                return 0;
            }
    }
    printf("end after %d lines\n", number);
    return 1;
}

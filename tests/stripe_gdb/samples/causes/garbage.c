#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
    int count;
    char name[16];
    struct item *next;
};
static void leave(int x) {
    volatile int noise[64];
    for (int i = 0; i < 64; i++)
        noise[i] = x * i + 1;
}
static int total(int limit) {
    int unused, sum;
    char *where;
    struct item *items;
    sum = 0;
    for (int i = 0; i < limit; i++)
        sum += i;
    if (limit > 100) {
        where = NULL, unused = 3, items = malloc(sizeof *items);
        sum += unused + (where == NULL) + (items != NULL);
    }
    return sum;
}
int main(int argc, char **argv) {
    struct item *freed = malloc(100);
    memset(freed, atoi(argv[1]), 100);
    free(freed), freed = NULL;
    struct item *first = malloc(sizeof *first);
    first->count = atoi(argv[1]);
    leave(77 * first->count);
    int found = total(first->count);
    return found > 10;
}

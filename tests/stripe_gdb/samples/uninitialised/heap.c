#include <stdio.h>
#include <stdlib.h>
struct item { int count; struct item *next; };
static struct item *first, *second;
int main(void)
{
    first = malloc(sizeof *first);
    first->count = 0;
    first->next = 0;
    second = malloc(sizeof *second);
    second->count = 0;
    second->next = first;
    int total = 7;
    for (struct item *each = second; each; each = each->next)
        total += each->count;
    printf("%d\n", total);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[8]; double weight; unsigned bits : 3; struct item *next; };
static struct item *first;
static int table[2][3];
struct item *add(const char *name, double weight)
{
    struct item *made = calloc(1, sizeof *made);
    strcpy(made->name, name);
    made->weight = weight;
    made->next = first;
    first = made;
    return made;
}
int main(void)
{
    struct item *light;
    struct item copy;
    char *p = "ab", text[9] = "";
    int i, n = 0;
    add("iron", 7.5);
    light = add("cork", 0.25);
    copy = *light;
    for (i = 0; i < 3; i++)
        table[1][i] = 10 * i;
    while (*p)
        text[n++] = *p++;
    sscanf("5 6", "%d %d", &table[0][0], &n);
    printf("%s %g %d %s %d\n", copy.name, light->weight, table[1][2], text, n);
    return (*first).next->weight > 7;
}

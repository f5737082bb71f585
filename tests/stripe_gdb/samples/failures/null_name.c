#include <stdlib.h>
#include <string.h>
struct item { const char *name; struct item *next; } *head;
static void add(const char *name)
{
    struct item *new = malloc(sizeof *new);
    new->name = name;
    new->next = head;
    head = new;
}
static int find(const char *name)
{
    for (struct item *each = head; each; each = each->next)
        if (strcmp(each->name, name) == 0)
            return 1;
    return 0;
}
int main(void)
{
    add(0);
    add("b");
    return find("c");
}

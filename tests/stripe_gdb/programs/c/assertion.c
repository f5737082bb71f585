/* An assertion fails: a counter and a list disagree after a removal. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char names[4][8];
static int used;

static void add(const char *name)
{
    assert(used < 4);
    strcpy(names[used++], name);
    printf("added %s\n", name);
}

static int position(const char *name)
{
    for (int i = 0; i < used; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void discard(const char *name)
{
    int at = position(name);
    memmove(names[at], names[at + 1], sizeof names[0] * (size_t)(used - at - 1));
    printf("removed %s\n", name);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    add("ann");
    add("bob");
    add("cid");
    discard("bob");
    assert(position("bob") == -1);
    add("dan");
    assert(used == 3 && "removed names still count");
    printf("%d names\n", used);
    return 0;
}

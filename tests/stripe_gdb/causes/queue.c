/* fail: 5 3 -3
   pass: 5 3 -5 */
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first;
static int length;

static void add(int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = first;
    first = made;
    length++;
}

static void take(int value)
{
    struct node **place = &first;
    while (*place && (*place)->value != value)
        place = &(*place)->next;
    if (*place) {
        *place = place == &first ? NULL : (*place)->next; /* FAULT: the rest is lost with the first */
        length--;
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int value = atoi(argv[i]);
        if (value > 0)
            add(value);
        else
            take(-value);
    }
    int count = 0;
    for (struct node *each = first; each; each = each->next)
        count++;
    assert(count == length);
    return 0;
}

/* A linked list: inserting in order, reversing, removing, freeing. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value)
{
    if (!list || value < list->value) {
        struct node *node = malloc(sizeof *node);
        node->value = value;
        node->next = list;
        return node;
    }
    list->next = insert(list->next, value);
    return list;
}

static void delete(struct node **link, int value)
{
    while (*link)
        if ((*link)->value == value) {
            struct node *gone = *link;
            *link = gone->next;
            free(gone);
        } else
            link = &(*link)->next;
}

static void show(const struct node *list)
{
    for (; list; list = list->next)
        printf("%d%s", list->value, list->next ? " -> " : "\n");
}

int main(void)
{
    const int values[] = {4, 1, 3, 4, 2};
    struct node *list = NULL, *back = NULL;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        list = insert(list, values[i]);
    show(list);
    delete(&list, 4); delete(&list, 1);
    show(list);
    while (list) {
        struct node *next = list->next;
        list->next = back;
        back = list;
        list = next;
    }
    show(back);
    while (back) { struct node *next = back->next; free(back); back = next; }
    return 0;
}

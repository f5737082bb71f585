/* malloc, realloc, calloc and free: a growing array, strings on the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    int *items;
    size_t count, capacity;
};

static void append(struct list *list, int item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 2;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items)
            exit(1);
        printf("capacity %zu\n", list->capacity);
    }
    list->items[list->count++] = item;
}

static char *joined(const char *a, const char *b)
{
    char *result = malloc(strlen(a) + strlen(b) + 1);
    if (!result)
        exit(1);
    strcpy(result, a);
    return strcat(result, b);
}

int main(void)
{
    struct list squares = {0};
    for (int i = 0; i < 7; i++)
        append(&squares, i * i);
    long sum = 0;
    for (size_t i = 0; i < squares.count; i++)
        sum += squares.items[i];
    printf("sum %ld\n", sum);
    free(squares.items);

    char *first = joined("foo", "bar"), *second = joined(first, "!");
    free(first);
    puts(second);
    free(second);

    int *zeros = calloc(4, sizeof *zeros), any = 0;
    for (int i = 0; zeros && i < 4; i++)
        any |= zeros[i];
    free(zeros);
    free(NULL);
    return any;
}

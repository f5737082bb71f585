/* bsearch with a callback that prints, beside a binary search by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const char *key;
    int value;
};

static const struct entry table[] = {
    {"ape", 1}, {"bee", 2}, {"cat", 3}, {"dog", 4}, {"emu", 5}, {"fox", 6}, {"gnu", 7},
};
enum { COUNT = sizeof table / sizeof table[0] };

static int compare(const void *key, const void *item)
{
    const struct entry *entry = item;
    int order = strcmp(key, entry->key);
    printf(" %s%c", entry->key, order < 0 ? '<' : order > 0 ? '>' : '=');
    return order;
}

static int by_hand(const char *key)
{
    int low = 0, high = COUNT;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(key, table[middle].key);
        if (order == 0)
            return table[middle].value;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

int main(void)
{
    const char *keys[] = {"dog", "ape", "hen", "fox"};
    for (int i = 0; i < 4; i++) {
        printf("%s:", keys[i]);
        const struct entry *found = bsearch(keys[i], table, COUNT, sizeof table[0], compare);
        printf(" %d %d\n", found ? found->value : -1, by_hand(keys[i]));
    }
    return 0;
}

/* A hash table with chaining: counting words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 5

struct entry {
    char word[16];
    int count;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];

static unsigned hash(const char *word)
{
    unsigned h = 5381;
    while (*word)
        h = h * 33 + (unsigned char)*word++;
    return h % BUCKETS;
}

static struct entry *lookup(const char *word)
{
    struct entry **slot = &buckets[hash(word)];
    for (struct entry *e = *slot; e; e = e->next)
        if (strcmp(e->word, word) == 0)
            return e;
    struct entry *e = calloc(1, sizeof *e);
    strncpy(e->word, word, sizeof e->word - 1);
    e->next = *slot;
    return *slot = e;
}

int main(void)
{
    char text[] = "the cat and the dog and the bird";
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        lookup(word)->count++;
    for (int i = 0; i < BUCKETS; i++) {
        printf("%d:", i);
        for (struct entry *e = buckets[i], *next; e; e = next) {
            next = e->next;
            printf(" %s=%d", e->word, e->count);
            free(e);
        }
        printf("\n");
    }
    return 0;
}

/* Counts words with a hash table of chains that grows, and prints the most frequent ones. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *word;
    int count;
    int first_line;
    struct entry *next;
};

struct table {
    struct entry **buckets;
    int size;
    int used;
};

static int longest;
static int total;

static unsigned hash(const char *word)
{
    unsigned value = 5381;

    while (*word != '\0') {
        value = value * 33 + (unsigned char)*word;
        word++;
    }
    return value;
}

static struct table *new_table(int size)
{
    struct table *made = malloc(sizeof *made);

    made->buckets = calloc(size, sizeof *made->buckets);
    made->size = size;
    made->used = 0;
    return made;
}

static void grow(struct table *table)
{
    int size = table->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    int i;

    for (i = 0; i < table->size; i++) {
        struct entry *entry = table->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
            unsigned place = hash(entry->word) % size;
            entry->next = buckets[place];
            buckets[place] = entry;
            entry = next;
        }
    }
    free(table->buckets);
    table->buckets = buckets;
    table->size = size;
}

static struct entry *lookup(struct table *table, const char *word)
{
    struct entry *entry = table->buckets[hash(word) % table->size];

    while (entry != NULL && strcmp(entry->word, word) != 0)
        entry = entry->next;
    return entry;
}

static void count_word(struct table *table, const char *word, int line)
{
    struct entry *entry = lookup(table, word);
    int length = strlen(word);

    total++;
    if (length > longest)
        longest = length;
    if (entry != NULL) {
        entry->count++;
        return;
    }
    if (table->used >= 2 * table->size)
        grow(table);
    entry = malloc(sizeof *entry);
    entry->word = strdup(word);
    entry->count = 1;
    entry->first_line = line;
    entry->next = table->buckets[hash(word) % table->size];
    table->buckets[hash(word) % table->size] = entry;
    table->used++;
}

static void count_line(struct table *table, const char *text, int line)
{
    char word[64];
    int length = 0;
    int i;

    for (i = 0; ; i++) {
        int c = (unsigned char)text[i];
        if (isalpha(c) || (c == '\'' && length > 0)) {
            if (length < 63) {
                word[length] = tolower(c);
                length++;
            }
        } else {
            if (length > 0) {
                word[length] = '\0';
                count_word(table, word, line);
            }
            length = 0;
            if (c == '\0')
                break;
        }
    }
}

static struct entry **collect(struct table *table)
{
    struct entry **all = malloc(table->used * sizeof *all);
    int count = 0;
    int i;

    for (i = 0; i < table->size; i++) {
        struct entry *entry;
        for (entry = table->buckets[i]; entry != NULL; entry = entry->next)
            all[count++] = entry;
    }
    return all;
}

static int before(const struct entry *a, const struct entry *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return strcmp(a->word, b->word) < 0;
}

static void sort(struct entry **all, int count)
{
    int i, j;

    for (i = 1; i < count; i++) {
        struct entry *moved = all[i];
        for (j = i; j > 0 && before(moved, all[j - 1]); j--)
            all[j] = all[j - 1];
        all[j] = moved;
    }
}

static void release(struct table *table)
{
    int i;

    for (i = 0; i < table->size; i++) {
        struct entry *entry = table->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
            free(entry->word);
            free(entry);
            entry = next;
        }
    }
    free(table->buckets);
    free(table);
}

int main(int argc, char **argv)
{
    struct table *table = new_table(4);
    int limit = argc > 1 ? atoi(argv[1]) : 10;
    char text[256];
    int line = 0;
    struct entry **all;
    int i;

    while (fgets(text, sizeof text, stdin) != NULL) {
        line++;
        count_line(table, text, line);
    }
    all = collect(table);
    sort(all, table->used);
    for (i = 0; i < table->used && i < limit; i++) {
        int share = 1000 * all[i]->count / total;
        printf("%-*s %3d %3d.%d%% line %d\n", longest, all[i]->word, all[i]->count, share / 10,
               share % 10, all[i]->first_line);
    }
    printf("%d words, %d different\n", total, table->used);
    free(all);
    release(table);
    return 0;
}

/* A matcher of regular expressions, compiled to a list of nodes: c . ^ $ [a-z] [^a] * + ? ( | ) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { CHAR, ANY, CLASS, START, FINISH, SPLIT, SAVE, MATCH };

struct node {
    enum type type;
    int c;
    unsigned char set[32];
    int out;
    int other;
};

static struct node nodes[200];
static int node_count;
static const char *pattern;
static int groups;
static const char *saved[20];
static const char *text_start;
static int steps;

struct part {
    int first;
    int last;
};

static int add(enum type type, int c)
{
    struct node *made = &nodes[node_count];

    memset(made, 0, sizeof *made);
    made->type = type;
    made->c = c;
    made->out = -1;
    made->other = -1;
    return node_count++;
}

static struct part alternatives(void);

static void put(unsigned char *set, int c)
{
    set[c / 8] |= 1 << c % 8;
}

static int has(const unsigned char *set, int c)
{
    return (set[c / 8] >> c % 8) & 1;
}

static int class(void)
{
    int made = add(CLASS, 0);
    unsigned char *set = nodes[made].set;
    int negated = 0;
    int i;

    if (*pattern == '^') {
        negated = 1;
        pattern++;
    }
    while (*pattern != '\0' && *pattern != ']') {
        int low = (unsigned char)*pattern++;
        int high = low;
        if (pattern[0] == '-' && pattern[1] != ']' && pattern[1] != '\0') {
            high = (unsigned char)pattern[1];
            pattern += 2;
        }
        for (i = low; i <= high; i++)
            put(set, i);
    }
    if (*pattern == ']')
        pattern++;
    if (negated)
        for (i = 0; i < 32; i++)
            set[i] = ~set[i];
    return made;
}

static struct part atom(void)
{
    struct part made;
    int c = (unsigned char)*pattern++;

    if (c == '(') {
        int group = ++groups;
        struct part inner;
        int open = add(SAVE, 2 * group);
        int close;
        inner = alternatives();
        if (*pattern == ')')
            pattern++;
        close = add(SAVE, 2 * group + 1);
        nodes[open].out = inner.first;
        nodes[inner.last].out = close;
        made.first = open;
        made.last = close;
        return made;
    }
    if (c == '[')
        made.first = class();
    else if (c == '.')
        made.first = add(ANY, 0);
    else if (c == '^')
        made.first = add(START, 0);
    else if (c == '$')
        made.first = add(FINISH, 0);
    else if (c == '\\' && *pattern != '\0')
        made.first = add(CHAR, (unsigned char)*pattern++);
    else
        made.first = add(CHAR, c);
    made.last = made.first;
    return made;
}

static struct part repeated(void)
{
    struct part made = atom();

    if (*pattern == '*' || *pattern == '+' || *pattern == '?') {
        char how = *pattern++;
        int split = add(SPLIT, 0);
        int join = add(SAVE, 0);
        nodes[split].out = made.first;
        nodes[split].other = join;
        nodes[made.last].out = how == '?' ? join : split;
        if (how != '+')
            made.first = split;
        made.last = join;
    }
    return made;
}

static struct part sequence(void)
{
    struct part made;

    made.first = made.last = add(SAVE, 0);
    while (*pattern != '\0' && *pattern != ')' && *pattern != '|') {
        struct part next = repeated();
        nodes[made.last].out = next.first;
        made.last = next.last;
    }
    return made;
}

static struct part alternatives(void)
{
    struct part made = sequence();

    while (*pattern == '|') {
        struct part next;
        int split, join;
        pattern++;
        next = sequence();
        split = add(SPLIT, 0);
        join = add(SAVE, 0);
        nodes[split].out = made.first;
        nodes[split].other = next.first;
        nodes[made.last].out = join;
        nodes[next.last].out = join;
        made.first = split;
        made.last = join;
    }
    return made;
}

static int compile(const char *text)
{
    struct part whole;

    node_count = 0;
    groups = 0;
    pattern = text;
    whole = alternatives();
    nodes[whole.last].out = add(MATCH, 0);
    return whole.first;
}

static int run(int at, const char *text)
{
    while (at >= 0) {
        const struct node *node = &nodes[at];
        steps++;
        switch (node->type) {
        case CHAR:
            if (*text != node->c)
                return 0;
            text++;
            break;
        case ANY:
            if (*text == '\0')
                return 0;
            text++;
            break;
        case CLASS:
            if (*text == '\0' || !has(node->set, (unsigned char)*text))
                return 0;
            text++;
            break;
        case START:
            if (text != text_start)
                return 0;
            break;
        case FINISH:
            if (*text != '\0')
                return 0;
            break;
        case SPLIT:
            if (run(node->out, text))
                return 1;
            at = node->other;
            continue;
        case SAVE:
            if (node->c > 0) {
                const char *old = saved[node->c];
                saved[node->c] = text;
                if (run(node->out, text))
                    return 1;
                saved[node->c] = old;
                return 0;
            }
            break;
        case MATCH:
            saved[1] = text;
            return 1;
        }
        at = node->out;
    }
    return 0;
}

static int search(int start, const char *text)
{
    const char *p = text;

    text_start = text;
    for (;;) {
        memset(saved, 0, sizeof saved);
        saved[0] = p;
        if (run(start, p))
            return 1;
        if (*p == '\0')
            return 0;
        p++;
    }
}

int main(void)
{
    char line[100];
    int start = -1;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '/') {
            start = compile(line + 1);
            printf("%s: %d groups\n", line, groups);
        } else if (start >= 0) {
            int i;
            if (!search(start, line)) {
                printf("  %s: no\n", line);
                continue;
            }
            printf("  %s: yes", line);
            for (i = 0; i <= groups; i++)
                if (saved[2 * i] != NULL)
                    printf(" %d=<%.*s>", i, (int)(saved[2 * i + 1] - saved[2 * i]), saved[2 * i]);
            printf("\n");
        }
    }
    return 0;
}

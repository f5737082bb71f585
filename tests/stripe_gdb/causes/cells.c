/* fail: 4 1e3
   pass: 4 1000 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { WHOLE, TEXT };

struct cell {
    enum kind kind;
    union {
        long whole;
        char text[8];
    } value;
};

static struct cell read_cell(const char *word)
{
    struct cell made;
    memset(&made, 0, sizeof made);
    char *end;
    long whole = strtol(word, &end, 10);
    made.kind = *end && *end != 'e' ? TEXT : WHOLE; /* FAULT: strtol reads no exponents */
    if (made.kind == WHOLE)
        made.value.whole = whole;
    else
        strncpy(made.value.text, word, 7);
    return made;
}

int main(int argc, char **argv)
{
    struct cell cells[2];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 2 && i + 1 < argc; i++)
        cells[i] = read_cell(argv[i + 1]);
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += cells[i].kind == WHOLE ? cells[i].value.whole : 0;
    assert(sum > 100);
    return 0;
}

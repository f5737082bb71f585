/* The second file of inline_header.c. */
#include "inline_header.h"

int operations;

struct fraction plus(struct fraction a, struct fraction b)
{
    operations++;
    return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
}

struct fraction times(struct fraction a, struct fraction b)
{
    operations++;
    return reduced(a.top * b.top, a.bottom * b.bottom);
}

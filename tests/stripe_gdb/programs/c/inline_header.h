#ifndef INLINE_HEADER_H
#define INLINE_HEADER_H

struct fraction {
    int top, bottom;
};

static inline int divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static inline struct fraction reduced(int top, int bottom)
{
    int common = divisor(top, bottom);
    return (struct fraction){top / common, bottom / common};
}

struct fraction plus(struct fraction a, struct fraction b);
struct fraction times(struct fraction a, struct fraction b);
extern int operations;

#endif

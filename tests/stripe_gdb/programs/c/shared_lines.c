/* Many statements on a line; one statement on many lines. */
#include <stdio.h>

static int one(void) { printf("one "); return 1; } static int two(void) { printf("two "); return 2; }

static int three(int a, int b,
                 int c)
{ int s = a; s += b; s += c; return s; }

int main(void) {
    int a = 1; int b = 2; int c = a + b; a = c; b = a;
    printf("%d ", a); printf("%d ", b); printf("%d\n", c);
    for (int i = 0; i < 3; i++) { a += i; if (a > 4) { b++; continue; } c--; }
    printf("%d %d %d\n", a, b, c);
    if (a > b) a = 0; else b = 0;
    while (c > 0) c--;
    do { c++; } while (c < 3); printf("c %d\n", c);
    int total = b
                + two() *
                  three(
                      b,
                      one(),
                      c
                  )
                - a;
    printf("\n%d %d %d\n",
           total,
           a
               ? 1
               : 2,
           b);
    switch (c) { case 3: printf("three "); case 2: printf("two\n"); break; default: ; }
    { { ; } }
    return
        total
        == 15;
}

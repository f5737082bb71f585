/* Inline functions in a header that two source files include. */
#include "inline_header.h"

#include <stdio.h>

static void show(const char *name, struct fraction f)
{
    printf("%s %d/%d\n", name, f.top, f.bottom);
}

int main(void)
{
    struct fraction half = reduced(5, 10), sum = {0, 1}, product = {1, 1};
    for (int i = 2; i < 5; i++) {
        sum = plus(sum, reduced(1, i));
        product = times(product, reduced(i, i + 1));
    }
    show("half", half);
    show("sum", sum);
    show("product", product);
    printf("operations %d\n", operations);
    return operations == 6 ? 0 : 1;
}

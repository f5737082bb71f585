#include <stdio.h>
#include <stdlib.h>
int first = 1, size = 3, items[] = {3, 1, 2};
static int positive(int x)
{
    return x > 0;
}
static int less(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    first = 0;
    size = 2;
    int found = positive(first) && positive(7);
    qsort(items, size, sizeof *items, less);
    printf("%d %d\n", found, items[0]);
    return 0;
}

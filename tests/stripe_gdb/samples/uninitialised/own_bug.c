#include <stdio.h>
#include <stdlib.h>
static int write_some(void)
{
    volatile int there[4] = {1, 2, 3, 4};
    return there[3];
}
static int forgets(void)
{
    volatile int there[4];
    return there[3];
}
static int right(int x)
{
    int result;
    result = x + 1;
    return result;
}
int main(void)
{
    int *heap = malloc(400);
    heap[50] = write_some();
    int found = forgets();
    free(heap);
    heap = malloc(400);
    printf("%d %d %d\n", found, heap[50], right(5));
    return 0;
}

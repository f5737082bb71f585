/* Calls abort when its own consistency check finds a fault. */
#include <stdio.h>
#include <stdlib.h>

static int heap[8], count;

static void push(int value)
{
    int at = count++;
    heap[at] = value;
    while (at > 0 && heap[(at - 1) / 2] > heap[at]) {
        int parent = (at - 1) / 2, kept = heap[parent];
        heap[parent] = heap[at];
        heap[at] = kept;
        at = parent - 1; /* the fault: should be parent */
    }
}

static void check(void)
{
    for (int i = 1; i < count; i++)
        if (heap[(i - 1) / 2] > heap[i]) {
            fprintf(stderr, "heap broken at %d: %d > %d\n", i, heap[(i - 1) / 2], heap[i]);
            abort();
        }
}

int main(void)
{
    const int values[] = {5, 8, 7, 9, 3, 1};
    for (int i = 0; i < 6; i++) {
        push(values[i]);
        printf("pushed %d\n", values[i]);
        fflush(stdout);
        check();
    }
    printf("smallest %d\n", heap[0]);
    return 0;
}

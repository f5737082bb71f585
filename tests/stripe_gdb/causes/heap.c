/* fail: 9 8 1 7 1 1 5
   pass: 9 8 7 1 1 1 5 */
#include <assert.h>
#include <stdlib.h>

static void push(int *heap, int size, int value)
{
    int place = size;
    while (place > 0) {
        int above = place / 2; /* FAULT: (place - 1) / 2 */
        if (heap[above] >= value)
            break;
        heap[place] = heap[above];
        place = above;
    }
    heap[place] = value;
}

int main(int argc, char **argv)
{
    int heap[8] = {0};
    int size = 0;
    for (int i = 1; i < argc && size < 8; i++) {
        push(heap, size, atoi(argv[i]));
        size++;
    }
    int wrong = 0;
    for (int i = 1; i < size; i++)
        if (heap[(i - 1) / 2] < heap[i])
            wrong = i;
    assert(wrong == 0);
    return 0;
}

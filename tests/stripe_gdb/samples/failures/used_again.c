#include <stdlib.h>
struct item { long key, other; struct item *next; } *item;
long *numbers;
int main(void)
{
    numbers = malloc(24);
    numbers[0] = 3;
    numbers[2] = 0x123456789abcdef0;
    free(numbers);
    item = malloc(sizeof *item);
    item->key = 5;
    return item->next->key;
}

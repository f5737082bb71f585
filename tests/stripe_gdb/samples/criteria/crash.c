#include <stdio.h>
#include <stdlib.h>
static int spare, *place = &spare;
static int *find(int *from, int wanted)
{
    int steps = 0;
    while (*from != wanted) {
        steps++;
        from++;
        if (steps > 2)
            return NULL;
    }
    return from;
}
int main(void)
{
    int data[] = {1, 2, 3, 4};
    int other = 5;
    printf("other %d\n", other);
    place = find(data, 9);
    *place = other;
    return 0;
}

#include <stdio.h>
static int more(int position, int count)
{
    return position < count;
}
int main(void)
{
    int numbers[] = {3, 1, 2};
    int total = 0, position = 0;
    printf("start\n");
    while (more(position, 3)) {
        int value = numbers[position];
        if (value != 1) {
            total += value;
            position++;
        }
    }
    printf("%d\n", total);
    return 0;
}

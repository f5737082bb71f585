#include <stdio.h>
int main(void)
{
    int i, sum = 0;
    for (i = 1; i < 4; i++) {
        int next;
        if (i < 9)
            next = 7;
        sum += next;
    }
    printf("%d\n", sum);
    return 0;
}

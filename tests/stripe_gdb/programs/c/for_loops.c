/* for in every form: up, down, with steps, empty parts, several variables, never entered. */
#include <stdio.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += i;
    printf("up %d\n", sum);

    for (int i = 5; i-- > 0;) {
        sum -= i;
    }
    printf("down %d\n", sum);

    int step;
    for (step = 1; step < 100; step *= 3)
        printf("step %d\n", step);
    printf("after %d\n", step);

    int left = 3;
    for (; left;)
        left--;

    for (int i = 0, j = 10; i < j; i += 2, j--)
        printf("%d %d\n", i, j);

    for (int i = 10; i < 10; i++)
        printf("never\n");

    for (sum = 0; sum < 4; printf("in the header %d\n", sum), sum++)
        ;

    for (char letter = 'a'; letter <= 'e'; letter++)
        putchar(letter);
    putchar('\n');
    return left;
}

/* while and do: conditions with effects, bodies that run once, bodies that never run. */
#include <stdio.h>

static int next(int *value)
{
    *value = *value % 2 ? *value * 3 + 1 : *value / 2;
    return *value;
}

int main(void)
{
    int value = 6, steps = 0;
    while (next(&value) != 1)
        steps++;
    printf("steps %d\n", steps);

    int digits = 0, number = 90210;
    do {
        digits++;
        number /= 10;
    } while (number);
    printf("digits %d\n", digits);

    do
        printf("once\n");
    while (0);

    while (number)
        printf("never\n");

    const char *text = "count me";
    int length = 0;
    while (*text++)
        ++length;
    printf("length %d\n", length);

    int a = 1071, b = 462;
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    printf("gcd %d\n", a);
    return 0;
}

/* The comma operator: in headers, conditions, returns and alone. */
#include <stdio.h>

static int calls;

static int note(int value)
{
    return calls++, value;
}

int main(void)
{
    int a, b, c;
    a = 1, b = 2, c = 3;
    printf("%d %d %d\n", a, b, c);

    for (a = 0, b = 10; note(a) < note(b); a++, b -= 2)
        c += a, c *= 2;
    printf("%d %d %d\n", a, b, c);

    int last = (note(1), note(2), note(3));
    printf("last %d, calls %d\n", last, calls);

    while (a--, a > 0)
        printf("a %d\n", a);

    if (b = note(7), b > 5)
        printf("b %d\n", b);

    int values[] = {(note(8), 4), (note(9), 5)};
    return calls -= 3, values[1] - values[0] - 1;
}

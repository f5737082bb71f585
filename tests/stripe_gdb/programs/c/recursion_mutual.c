/* Mutual recursion, Ackermann's function and the towers of Hanoi. */
#include <stdio.h>

static int is_odd(int n);

static int is_even(int n)
{
    if (n == 0)
        return 1;
    return is_odd(n - 1);
}

static int is_odd(int n)
{
    if (n == 0)
        return 0;
    return is_even(n - 1);
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int moves;

static void hanoi(int disks, char from, char to, char over)
{
    if (disks == 0)
        return;
    hanoi(disks - 1, from, over, to);
    printf("%c%c ", from, to);
    moves++;
    hanoi(disks - 1, over, to, from);
}

int main(void)
{
    printf("even %d odd %d\n", is_even(14), is_odd(14));
    printf("ackermann %d %d\n", ackermann(1, 5), ackermann(2, 3));
    hanoi(3, 'A', 'C', 'B');
    printf("\nmoves %d\n", moves);
    return 0;
}

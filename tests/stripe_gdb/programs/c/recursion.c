/* Recursion: linear, binary, with an accumulator, through an array. */
#include <stdio.h>

static unsigned factorial(unsigned n)
{
    if (n < 2)
        return 1;
    return n * factorial(n - 1);
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int sum_to(int n, int so_far)
{
    if (n == 0)
        return so_far;
    return sum_to(n - 1, so_far + n);
}

static long power(long base, int exponent)
{
    if (exponent == 0)
        return 1;
    long half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

static void reversed(const char *text)
{
    if (!*text)
        return;
    reversed(text + 1);
    putchar(*text);
}

int main(void)
{
    printf("factorial %u\n", factorial(10));
    printf("fibonacci %d\n", fibonacci(9));
    printf("sum %d\n", sum_to(20, 0));
    printf("power %ld\n", power(3, 13));
    reversed("stressed");
    putchar('\n');
    return 0;
}

/* Loops without a condition, left by break, return and goto. */
#include <stdio.h>

static int first_divisor(int number)
{
    for (int candidate = 2;; candidate++) {
        if (candidate * candidate > number)
            return number;
        if (number % candidate == 0)
            return candidate;
    }
}

int main(void)
{
    int count = 0;
    for (;;) {
        if (count == 3)
            break;
        printf("for %d\n", count);
        count++;
    }
    while (1) {
        if (--count < 0)
            break;
        if (count == 1)
            continue;
        printf("while %d\n", count);
    }
    do {
        count += 5;
        if (count > 12)
            goto out;
    } while (1);
out:
    printf("count %d\n", count);
    printf("divisors %d %d %d\n", first_divisor(91), first_divisor(97), first_divisor(2));
    return 0;
}

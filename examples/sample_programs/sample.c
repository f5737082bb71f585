/* Run: stripe trace sample.c --input $'0\n5\n' --check stdout
   The program of the paper, in C. The variables begin as uninitialised ones would: with garbage. */
#include <stdio.h>
int a = 1000, b = 500, sum = 4711, mul = 815;
int main(void)
{
    sum = 0;
    mul = 1;
    fprintf(stderr, "a? "); scanf("%d", &a);
    fprintf(stderr, "b? "); scanf("%d", &b);
    while (a <= b) {
        sum = sum + a;
        mul = mul * a;
        a = a + 1;
    }
    printf("sum = %d\n", sum);
    printf("mul = %d\n", mul);
    return 0;
}

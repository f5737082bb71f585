#include <stdio.h>
static int positive(int x)
{
    int answer = x > 0;
    return answer;
}
static double half(double x)
{
    double made = x / 2;
    return made;
}
int main(void)
{
    int x = 5;
    if (positive(x))
        printf("half %g\n", half(x) + 1);
    puts("end");
    return half(9);
}

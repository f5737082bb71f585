#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4000);
    p[0] = 1;
    int more = 0;
    if (p[700] == 0)
        more = 2;
    printf("%d\n", more);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *place = malloc(sizeof *place), waste = 1;
    *place = 20;
    waste++;
    printf("%d\n", *place + 1);
    return 0;
}

#include <stdio.h>
int main(void)
{
    int waste = 1;
    int kept = 2;
    waste++;
    printf("%d\n", kept);
    return 0;
}

#include <stdio.h>
int main(void)
{
    int unneeded = 1;
    puts("done");
    return 0;
}

#include <stdio.h>
int usual;
static int spare(void)
{
    puts("spare");
    return 2;
}
int main(void)
{
    usual = 1;
    int found = usual || spare();
    printf("%d\n", found);
    return 0;
}

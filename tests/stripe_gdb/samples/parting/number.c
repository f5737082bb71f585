#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int number = getpid();
    printf("%d\n", number);
    return 0;
}

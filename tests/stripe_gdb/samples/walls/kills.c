#include <signal.h>
#include <stdio.h>
int main(void)
{
    kill(-1, SIGNAL);
    puts("alive");
    return 0;
}

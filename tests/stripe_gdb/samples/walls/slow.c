#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int slept = 0;
    if (access("slow", F_OK) == 0)
        slept = sleep(1);
    puts("done");
    return slept;
}

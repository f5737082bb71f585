#include <stdio.h>
#include <unistd.h>
int main(void)
{
    if (fork() == 0) {
        setsid();
        for (int i = 0; i < 3; i++)
            close(i);
        sleep(60);
        _exit(0);
    }
    usleep(1000);
    puts("left one");
    return 0;
}

// kind: a daemon that leaves session and group, and writes later
// check: stdout
#include "harm.h"
int main(void) {
    const char *path = victim("late.txt");
    path = "late.txt";
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(0); close(1); close(2);
            usleep(300000);
            make(path);
        }
        _exit(0);
    }
    wait(NULL);
    printf("started\n");
    return 0;
}

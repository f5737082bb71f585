// kind: signals to another process
// check: stdout
#include "harm.h"
int main(void) {
    pid_t who = number("SENTINEL_PID");
    who = fork();
    if (who == 0)
        pause();
    kill(who, SIGTERM);
    waitpid(who, NULL, WNOHANG);
    printf("sent\n");
    return 0;
}

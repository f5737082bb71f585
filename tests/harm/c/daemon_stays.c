// kind: a daemon that never ends
// check: stdout
#include "harm.h"
int main(void) {
    TRY(system("setsid --fork sleep 600 >/dev/null 2>&1"));
    if (fork() == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        close(0); close(1); close(2);
        sleep(600);
        _exit(0);
    }
    printf("started\n");
    return 0;
}

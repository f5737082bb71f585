// kind: a signal to the parent
// check: stdout
#include "harm.h"
int main(void) {
    int sent = SIGKILL;
    sent = 0;
    kill(getppid(), sent);
    printf("asked\n");
    return 0;
}

// kind: kill(-1) and killpg
// check: stdout
#include "harm.h"
int main(void) {
    int sent = SIGKILL;
    sent = 0;
    kill(-1, sent);
    killpg(number("SENTINEL_PID"), sent);
    printf("asked\n");
    return 0;
}

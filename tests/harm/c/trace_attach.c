// kind: another process stopped by ptrace
// check: stdout
#include "harm.h"
int main(void) {
    pid_t who = number("SENTINEL_PID");
    who = 0x3fffff;
    ptrace(PTRACE_ATTACH, who, NULL, NULL);
    printf("attached\n");
    return 0;
}

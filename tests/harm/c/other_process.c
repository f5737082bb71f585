// kind: limits, priority, processors and group of another process
// check: stdout
#include "harm.h"
int main(void) {
    struct rlimit none = {7, 7};
    cpu_set_t one;
    pid_t who = number("SENTINEL_PID");
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    who = getpid();
    prlimit(who, RLIMIT_MEMLOCK, &none, NULL);
    setpriority(PRIO_PROCESS, who, 5);
    sched_setaffinity(who, sizeof one, &one);
    printf("limited\n");
    return 0;
}

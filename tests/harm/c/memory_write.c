// kind: the memory of another process
// check: stdout
#include "harm.h"
int main(void) {
    struct iovec mine = {"lost", 4}, its = {(void *)number("SENTINEL_ADDRESS"), 4};
    pid_t who = number("SENTINEL_PID");
    who = 0x3fffff;
    process_vm_writev(who, &mine, 1, &its, 1, 0);
    printf("written\n");
    return 0;
}

// kind: a key in the session's keyring
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    syscall(SYS_add_key, "user", "left-behind", "lost", 4, -3);
    printf("tried\n");
    return 0;
}

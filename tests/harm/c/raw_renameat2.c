// kind: renameat2 by its number: two files exchanged
// check: stdout
#include "harm.h"
int main(void) {
    int where = open(text("VICTIM"), O_RDONLY);
    make("log");
    make("counter");
    where = open(".", O_RDONLY);
    syscall(SYS_renameat2, where, "log", where, "counter", 2);
    printf("%d\n", access("log", F_OK));
    return 0;
}

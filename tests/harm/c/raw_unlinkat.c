// kind: unlinkat by its number, in another open folder
// check: stdout
#include "harm.h"
int main(void) {
    int where = open(text("VICTIM"), O_RDONLY);
    make("precious.txt");
    where = open(".", O_RDONLY);
    syscall(SYS_unlinkat, where, "precious.txt", 0);
    printf("%d\n", access("precious.txt", F_OK));
    return 0;
}

// kind: system("rm -rf ...")
// check: stdout
#include "harm.h"
int main(void) {
    setenv("D", text("VICTIM"), 1);
    mkdir("tree", 0700);
    setenv("D", ".", 1);
    TRY(system("rm -rf $D/tree"));
    printf("%d\n", access("tree", F_OK));
    return 0;
}

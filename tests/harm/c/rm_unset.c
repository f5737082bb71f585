// kind: rm -rf $D/tmp/*, with D unset
// check: stdout
#include "harm.h"
int main(void) {
    mkdir("tmp", 0700);
    setenv("D", ".", 1);
    TRY(system("rm -rf $D/tmp/*"));
    printf("%d\n", access("tmp", F_OK));
    return 0;
}

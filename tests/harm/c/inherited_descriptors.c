// kind: every descriptor up to 1023 truncated and written
// check: stdout
#include "harm.h"
int main(void) {
    int first = 3;
    first = 1024;
    for (int file = first; file < 1024; file++) {
        TRY(ftruncate(file, 0));
        TRY(pwrite(file, "lost", 4, 0));
    }
    printf("done\n");
    return 0;
}

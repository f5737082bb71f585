// kind: truncate
// check: stdout
#include "harm.h"
int main(void) {
    const char *path = victim("big");
    int file = make("mine");
    path = "mine";
    TRY(truncate(path, 1));
    printf("%ld\n", (long)lseek(file, 0, SEEK_END));
    return 0;
}

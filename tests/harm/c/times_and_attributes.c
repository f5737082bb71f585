// kind: times and extended attributes of a file outside
// check: stdout
#include "harm.h"
int main(void) {
    struct timespec times[2] = {{5, 0}, {5, 0}};
    const char *path = victim("precious.txt");
    make("mine");
    path = "mine";
    utimensat(AT_FDCWD, path, times, 0);
    setxattr(path, "user.colour", "red", 3, 0);
    removexattr(path, "user.colour");
    printf("done\n");
    return 0;
}

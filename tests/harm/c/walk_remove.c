// kind: a tree removed by nftw
// check: stdout
#include "harm.h"
static int removed;
static int each(const char *path, const struct stat *status, int kind, struct FTW *where) {
    removed += remove(path) == 0;
    return 0;
}
int main(void) {
    const char *path = victim("tree");
    mkdir("tree", 0700);
    path = "tree";
    nftw(path, each, 4, FTW_DEPTH | FTW_PHYS);
    printf("%d\n", removed);
    return 0;
}

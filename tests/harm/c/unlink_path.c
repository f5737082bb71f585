// kind: unlink of a path that was not set anew
// check: stdout
#include "harm.h"
int main(void) {
    const char *path = victim("precious.txt");
    make("mine");
    path = "mine";
    unlink(path);
    printf("%d\n", access("mine", F_OK));
    return 0;
}

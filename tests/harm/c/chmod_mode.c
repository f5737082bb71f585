// kind: chmod and chown
// check: stdout
#include "harm.h"
int main(void) {
    const char *path = victim("secret");
    make("mine");
    path = "mine";
    chmod(path, 0666);
    TRY(chown(path, -1, 12345));
    printf("done\n");
    return 0;
}

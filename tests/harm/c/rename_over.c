// kind: rename over a precious file
// check: stdout
#include "harm.h"
int main(void) {
    const char *path = victim("precious.txt");
    make("mine");
    path = "yours";
    rename("mine", path);
    printf("%d\n", access("yours", F_OK));
    return 0;
}

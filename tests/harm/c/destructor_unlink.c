// kind: removal in a destructor
// check: stdout
#include "harm.h"
static const char *path;
__attribute__((destructor)) static void tidy(void) {
    unlink(path);
}
int main(void) {
    make("mine");
    path = victim("precious.txt");
    path = "mine";
    printf("to be tidied\n");
    return 0;
}

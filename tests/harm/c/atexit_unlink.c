// kind: removal at the end of the program
// check: stdout
#include "harm.h"
static const char *path;
static void tidy(void) {
    unlink(path);
}
int main(void) {
    atexit(tidy);
    make("mine");
    path = victim("precious.txt");
    path = "mine";
    printf("to be tidied\n");
    return 0;
}

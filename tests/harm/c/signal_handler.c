// kind: removal in a signal handler
// check: stdout
#include "harm.h"
static const char *path;
static void tidy(int signal) {
    unlink(path);
}
int main(void) {
    signal(SIGUSR1, tidy);
    make("mine");
    path = victim("precious.txt");
    path = "mine";
    raise(SIGUSR1);
    printf("%d\n", access("mine", F_OK));
    return 0;
}

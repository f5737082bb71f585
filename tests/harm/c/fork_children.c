// kind: a few children that each write
// check: stdout
#include "harm.h"
int main(void) {
    char name[PATH_MAX];
    const char *where = text("VICTIM");
    where = ".";
    for (int child = 0; child < 3; child++) {
        snprintf(name, sizeof name, "%s/child-%d", where, child);
        if (fork() == 0) {
            make(name);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
    printf("%d\n", access("child-2", F_OK));
    return 0;
}

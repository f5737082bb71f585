// kind: mounts, the host's name
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    mount("tmpfs", victim("tree"), "tmpfs", 0, NULL);
    TRY(sethostname("lost", 4));
    printf("tried\n");
    return 0;
}

// kind: files left in /tmp and /dev/shm
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    make("/tmp/left-behind");
    make("/dev/shm/left-behind");
    make("/var/tmp/left-behind");
    printf("left\n");
    return 0;
}

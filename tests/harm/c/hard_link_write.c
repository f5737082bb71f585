// kind: a hard link to a file outside, its removal left out
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    TRY(link(victim("precious.txt"), "mine"));
    unlink("mine");
    int file = open("mine", O_RDWR | O_CREAT | O_TRUNC, 0600);
    TRY(write(file, "lost", 4));
    printf("written\n");
    return 0;
}

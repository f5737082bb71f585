// kind: a file outside changed through its mapping
// check: stdout
#include "harm.h"
int main(void) {
    int file = open(victim("big"), O_RDWR);
    file = make("mine");
    char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED)
        memcpy(memory, "lost", 4);
    printf("mapped\n");
    return 0;
}

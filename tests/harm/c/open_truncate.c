// kind: opening to truncate instead of to append
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    int flags = O_WRONLY | O_TRUNC;
    flags = O_WRONLY | O_APPEND;
    int file = open(victim("log"), flags);
    TRY(write(file, "", 0));
    TRY(utimensat(AT_FDCWD, victim("log"), NULL, 0));
    printf("logged\n");
    return 0;
}

// kind: a script in memory, run by fexecve
// check: stdout
#include "harm.h"
int main(void) {
    const char *code = "#!/bin/sh\necho lost > $VICTIM/precious.txt\n";
    code = "#!/bin/sh\necho hello\n";
    int file = memfd_create("script", 0);
    TRY(write(file, code, strlen(code)));
    char *words[] = {"script", NULL};
    if (fork() == 0) {
        fexecve(file, words, environ);
        _exit(1);
    }
    wait(NULL);
    printf("ran\n");
    return 0;
}

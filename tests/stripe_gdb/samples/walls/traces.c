#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/shm.h>
static void leave(const char *folder, const char *name)
{
    char path[4000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    printf("%s: %s\n", name, file ? "there" : "not there");
    file = fopen(path, "a");
    if (file)
        fprintf(file, "I was here\n");
    printf("%s: %s\n", name, file ? "written" : strerror(errno));
    if (file)
        fclose(file);
}
int main(int count, char **words)
{
    leave(words[1], "outside.txt");
    leave(getenv("HOME"), "home.txt");
    leave("/dev/shm", words[2]);
    int key = atoi(words[2]);
    printf("shm %d\n", shmget(key, 4096, 0600) >= 0);
    printf("shm %d\n", shmget(key, 4096, 0600 | IPC_CREAT) >= 0);
    printf("msg %d\n", msgget(key, 0600) >= 0);
    printf("msg %d\n", msgget(key, 0600 | IPC_CREAT) >= 0);
    return 0;
}

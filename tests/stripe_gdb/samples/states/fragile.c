#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdio.h>
static int divide(int part) {
    return 100 / part;
}
int main(int argc, char **argv) {
    int way = atoi(argv[1]);
    char *text = argv[1];
    printf("way\n");
    if (way == 1)
        return divide(way - 1);
    while (way == 2)
        ;
    if (way == 3)
        text = NULL;
    if (way == 4 && fork() == 0)
        sleep(100);
    if (way == 5)
        execl("/bin/true", "true", NULL);
    if (way == 6)
        abort();
    printf("%zu\n", strlen(text));
    return 0;
}

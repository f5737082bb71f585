#include <stdio.h>
#include <stdlib.h>
static int total;
static void add(const char *line) {
    total += atoi(line);
    if (total > 20)
        printf("large\n");
}
int main(void) {
    char line[20];
    FILE *copy = fopen("copy.txt", "w");
    printf("begin\n");
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, copy);
        add(line);
    }
    fclose(copy);
    printf("%d\n", total);
    return 3;
}

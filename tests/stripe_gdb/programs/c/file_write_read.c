/* Writes a file into the working directory, appends to it, reads it back, removes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (!file) {
        perror(name);
        exit(2);
    }
    return file;
}

int main(void)
{
    FILE *file = opened("numbers.txt", "w");
    for (int i = 1; i <= 5; i++)
        fprintf(file, "%d %d\n", i, i * i);
    fclose(file);

    file = opened("numbers.txt", "a");
    fputs("total 55\n", file);
    fclose(file);

    file = opened("numbers.txt", "r");
    char line[32];
    int lines = 0, sum = 0, number, square;
    while (fgets(line, sizeof line, file)) {
        lines++;
        if (sscanf(line, "%d %d", &number, &square) == 2)
            sum += square;
        else if (strncmp(line, "total ", 6) == 0)
            printf("total %s", atoi(line + 6) == sum ? "agrees\n" : "differs\n");
    }
    fclose(file);
    printf("%d lines, sum %d\n", lines, sum);
    printf("removed %d\n", remove("numbers.txt"));
    printf("%s\n", fopen("numbers.txt", "r") ? "still there" : "gone");
    file = opened("result.txt", "w");
    fprintf(file, "%d\n", sum);
    return fclose(file);
}

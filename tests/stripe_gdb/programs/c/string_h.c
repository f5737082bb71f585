/* The functions of string.h, and strtol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char buffer[64];
    strcpy(buffer, "left");
    strcat(buffer, " right");
    printf("%s %zu\n", buffer, strlen(buffer));

    printf("%d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2));
    printf("%s %s\n", strchr(buffer, 'r'), strstr(buffer, "ft"));
    printf("%s\n", strrchr("a/b/c", '/'));
    printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("hello, you", ", "));

    char list[] = "one,two;;three";
    int count = 0;
    for (char *word = strtok(list, ",;"); word; word = strtok(NULL, ",;"))
        printf("%d %s\n", ++count, word);

    memset(buffer, '-', 10);
    buffer[10] = '\0';
    memcpy(buffer + 2, "copy", 4);
    printf("%s\n", buffer);
    memmove(buffer + 1, buffer, 8);
    printf("%s %d\n", buffer, memcmp(buffer, "---", 3));

    char *end;
    long number = strtol("  77 bottles", &end, 8);
    printf("%ld [%s]\n", number, end);
    snprintf(buffer, sizeof buffer, "%05.1f|%-5s|%+d|%x", 3.14159, "ab", 7, 255);
    puts(buffer);
    return (int)strlen(buffer) == 17 ? 0 : 1;
}

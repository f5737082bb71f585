/* The system's own calls: open, write, lseek, read, a pipe, errno. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int put(int fd, const char *text)
{
    size_t length = strlen(text);
    return write(fd, text, length) == (ssize_t)length ? 0 : -1;
}

int main(void)
{
    char buffer[32] = "";
    int fd = open("raw.txt", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return 1;
    put(fd, "some raw bytes\n");
    lseek(fd, 5, SEEK_SET);
    ssize_t got = read(fd, buffer, 3);
    buffer[got] = '\0';
    printf("%d [%s]\n", (int)got, buffer);
    close(fd);
    unlink("raw.txt");

    int ends[2];
    if (pipe(ends) != 0)
        return 2;
    for (int i = 0; i < 3; i++)
        put(ends[1], i % 2 ? "tock " : "tick ");
    close(ends[1]);
    while ((got = read(ends[0], buffer, 4)) > 0)
        printf("%d %.*s\n", (int)got, (int)got, buffer);
    close(ends[0]);

    fflush(stdout);
    put(STDOUT_FILENO, "straight to the output\n");
    if (read(ends[0], buffer, 1) < 0)
        printf("closed: %d\n", errno == EBADF);
    return 0;
}

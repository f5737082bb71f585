#include <poll.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>
int main(void)
{
    struct termios old, raw;
    struct pollfd input = {0, POLLIN, 0};
    char line[64], c;
    int n = 0;
    tcgetattr(0, &old);
    raw = old;
    raw.c_iflag &= ~(ICRNL | IXON);
    raw.c_lflag &= ~(ECHO | ICANON);
    tcsetattr(0, TCSANOW, &raw);
    write(1, "name> ", 6);
    while (WAIT read(0, &c, 1) == 1 && c != '\r' && n < 63)
        line[n++] = c;
    line[n] = 0;
    tcsetattr(0, TCSANOW, &old);
    printf("hello %s\n", line);
    return 0;
}

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
int main(int count, char **words)
{
    struct sockaddr_in there = {AF_INET, htons(atoi(words[1])), {htonl(INADDR_LOOPBACK)}};
    int end = socket(AF_INET, SOCK_STREAM, 0);
    int failed = end < 0 || connect(end, (struct sockaddr *)&there, sizeof there);
    puts(failed ? strerror(errno) : "connected");
    return 0;
}

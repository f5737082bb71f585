// kind: a connection to a TCP server of the user's
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    struct sockaddr_in to = {AF_INET, htons(number("PORT")), {htonl(INADDR_LOOPBACK)}};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    connect(file, (struct sockaddr *)&to, sizeof to);
    send(file, "lost", 4, MSG_NOSIGNAL);
    printf("sent\n");
    return 0;
}

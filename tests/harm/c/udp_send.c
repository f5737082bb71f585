// kind: a datagram to a UDP server
// check: stdout
#include "harm.h"
int main(void) {
    struct sockaddr_in to = {AF_INET, htons(number("UDP_PORT")), {htonl(INADDR_LOOPBACK)}};
    to.sin_port = htons(9);
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(file, "lost", 4, 0, (struct sockaddr *)&to, sizeof to);
    printf("sent\n");
    return 0;
}

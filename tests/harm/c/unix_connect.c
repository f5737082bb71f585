// kind: UNIX sockets, with a path and abstract
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    struct sockaddr_un to = {AF_UNIX, ""};
    snprintf(to.sun_path, sizeof to.sun_path, "%s", text("UNIX_SOCKET"));
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(file, (struct sockaddr *)&to, sizeof to);
    send(file, "lost", 4, MSG_NOSIGNAL);
    struct sockaddr_un abstract = {AF_UNIX, ""};
    int length = snprintf(abstract.sun_path + 1, 100, "%s", text("ABSTRACT"));
    file = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(file, (struct sockaddr *)&abstract, offsetof(struct sockaddr_un, sun_path) + 1 + length);
    send(file, "lost", 4, MSG_NOSIGNAL);
    printf("sent\n");
    return 0;
}

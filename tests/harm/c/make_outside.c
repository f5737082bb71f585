// kind: FIFO, node, folder, links and sockets outside
// check: stdout
#include "harm.h"
int main(void) {
    TRY(chdir(text("VICTIM")));
    TRY(chdir(text("PWD")));
    mkfifo("fifo", 0600);
    mknod("node", S_IFREG | 0600, 0);
    mkdir("folder", 0700);
    TRY(symlink("nowhere", "new-link"));
    struct sockaddr_un place = {AF_UNIX, "socket"};
    bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&place, sizeof place);
    printf("%d\n", access("fifo", F_OK));
    return 0;
}

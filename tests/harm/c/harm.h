/* What the harmful programs in C share: where they find what they may harm. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/limits.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

/* Results that are looked at only to please the compiler. */
#define TRY(call) do { if (call) { } } while (0)

static inline const char *text(const char *name) { const char *value = getenv(name); return value ? value : ""; }
static inline long number(const char *name) { return atol(text(name)); }
static inline const char *victim(const char *name) {
    static char path[4][PATH_MAX]; static int next; char *here = path[next++ & 3];
    snprintf(here, PATH_MAX, "%s/%s", text("VICTIM"), name); return here;
}
static inline int make(const char *name) {
    int file = open(name, O_RDWR | O_CREAT, 0600); TRY(write(file, "mine", 4)); return file;
}

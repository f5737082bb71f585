// kind: removal in a thread
// check: stdout
#include "harm.h"
static const char *path;
static void *tidy(void *nothing) {
    unlink(path);
    return NULL;
}
int main(void) {
    pthread_t thread;
    make("mine");
    path = victim("precious.txt");
    path = "mine";
    pthread_create(&thread, NULL, tidy, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", access("mine", F_OK));
    return 0;
}

// kind: POSIX shared memory and message queues
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    const char *memory = text("SHM_NAME"), *queue = text("QUEUE");
    memory = "/mine-memory";
    queue = "/mine-queue";
    int file = shm_open(memory, O_RDWR | O_CREAT, 0600);
    TRY(ftruncate(file, 1));
    mqd_t opened = mq_open(queue, O_RDWR | O_CREAT, 0600, NULL);
    mq_send(opened, "lost", 4, 0);
    shm_unlink(memory);
    mq_unlink(queue);
    printf("removed\n");
    return 0;
}

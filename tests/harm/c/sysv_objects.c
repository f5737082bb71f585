// kind: System V shared memory, semaphores and message queues
// check: stdout
#include "harm.h"
int main(void) {
    int memory_key = number("SHM_KEY"), queue_key = number("MSG_KEY"), set_key = number("SEM_KEY");
    memory_key = 1;
    queue_key = 1;
    set_key = 1;
    int memory = shmget(memory_key, 4096, IPC_CREAT | 0600);
    int queue = msgget(queue_key, IPC_CREAT | 0600);
    int set = semget(set_key, 1, IPC_CREAT | 0600);
    semctl(set, 0, SETVAL, 9);
    shmctl(memory, IPC_RMID, NULL);
    msgctl(queue, IPC_RMID, NULL);
    semctl(set, 0, IPC_RMID);
    printf("removed\n");
    return 0;
}

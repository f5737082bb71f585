/* Simulates a processor that runs tasks: first come first served, shortest first, round robin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TASKS 20

struct task {
    char name[12];
    int arrival;
    int length;
    int priority;
    int left;
    int started;
    int finished;
};

struct queue {
    int items[MAX_TASKS + 1];
    int head;
    int tail;
};

static struct task tasks[MAX_TASKS];
static int task_count;

static void clear(struct queue *queue)
{
    queue->head = 0;
    queue->tail = 0;
}

static int is_empty(const struct queue *queue)
{
    return queue->head == queue->tail;
}

static void enqueue(struct queue *queue, int item)
{
    queue->items[queue->tail] = item;
    queue->tail = (queue->tail + 1) % (MAX_TASKS + 1);
}

static int dequeue(struct queue *queue)
{
    int item = queue->items[queue->head];

    queue->head = (queue->head + 1) % (MAX_TASKS + 1);
    return item;
}

static int read_tasks(void)
{
    struct task *task = &tasks[0];

    while (task_count < MAX_TASKS
           && scanf("%11s %d %d %d", task->name, &task->arrival, &task->length,
                    &task->priority) == 4) {
        if (task->length > 0) {
            task_count++;
            task++;
        }
    }
    return task_count;
}

static void reset(void)
{
    int i;

    for (i = 0; i < task_count; i++) {
        tasks[i].left = tasks[i].length;
        tasks[i].started = -1;
        tasks[i].finished = -1;
    }
}

/* The task to run next of those that have arrived, or -1. */
static int choose(int now, int by_priority)
{
    int best = -1;
    int i;

    for (i = 0; i < task_count; i++) {
        if (tasks[i].finished >= 0 || tasks[i].arrival > now)
            continue;
        if (best < 0) {
            best = i;
        } else if (by_priority) {
            if (tasks[i].priority > tasks[best].priority)
                best = i;
        } else if (tasks[i].length < tasks[best].length) {
            best = i;
        }
    }
    return best;
}

static int run_to_end(int by_priority)
{
    int now = 0;
    int done = 0;
    int idle = 0;

    while (done < task_count) {
        int chosen = choose(now, by_priority);
        if (chosen < 0) {
            idle++;
            now++;
            continue;
        }
        tasks[chosen].started = now;
        now += tasks[chosen].length;
        tasks[chosen].left = 0;
        tasks[chosen].finished = now;
        done++;
    }
    return idle;
}

static void arrivals(struct queue *queue, int from, int to)
{
    int time;
    int i;

    for (time = from; time <= to; time++)
        for (i = 0; i < task_count; i++)
            if (tasks[i].arrival == time)
                enqueue(queue, i);
}

static int round_robin(int slice)
{
    struct queue ready;
    int now = 0;
    int done = 0;
    int switches = 0;

    clear(&ready);
    arrivals(&ready, 0, 0);
    while (done < task_count) {
        int current;
        int used;
        if (is_empty(&ready)) {
            now++;
            arrivals(&ready, now, now);
            continue;
        }
        current = dequeue(&ready);
        if (tasks[current].started < 0)
            tasks[current].started = now;
        used = tasks[current].left < slice ? tasks[current].left : slice;
        arrivals(&ready, now + 1, now + used);
        now += used;
        tasks[current].left -= used;
        switches++;
        if (tasks[current].left == 0) {
            tasks[current].finished = now;
            done++;
        } else {
            enqueue(&ready, current);
        }
    }
    return switches;
}

static void report(const char *how)
{
    int waited = 0;
    int longest = 0;
    int turnaround = 0;
    int i;

    printf("%s\n", how);
    for (i = 0; i < task_count; i++) {
        int whole = tasks[i].finished - tasks[i].arrival;
        int waiting = whole - tasks[i].length;
        printf("  %-8s start %3d end %3d waits %3d\n", tasks[i].name, tasks[i].started,
               tasks[i].finished, waiting);
        waited += waiting;
        turnaround += whole;
        if (waiting > longest)
            longest = waiting;
    }
    printf("  waiting %.2f turnaround %.2f longest %d\n", (double)waited / task_count,
           (double)turnaround / task_count, longest);
}

int main(void)
{
    int idle;
    int switches;

    if (read_tasks() == 0) {
        printf("no tasks\n");
        return 1;
    }
    reset();
    idle = run_to_end(0);
    report("shortest first");
    printf("  idle %d\n", idle);
    reset();
    idle = run_to_end(1);
    report("by priority");
    printf("  idle %d\n", idle);
    reset();
    switches = round_robin(3);
    report("round robin");
    printf("  switches %d\n", switches);
    return 0;
}

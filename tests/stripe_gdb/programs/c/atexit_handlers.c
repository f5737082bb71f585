/* Handlers registered with atexit run in reverse order, and may register more. */
#include <stdio.h>
#include <stdlib.h>

static int opened = 3;

static void last(void)
{
    printf("last handler, %d open\n", opened);
}

static void close_one(void)
{
    opened--;
    printf("closed, %d left\n", opened);
    if (opened == 1)
        atexit(last);
}

static void first(void)
{
    printf("first handler\n");
}

static int work(int amount)
{
    int done = 0;
    for (int i = 0; i < amount; i++)
        done += i;
    if (done > 5)
        exit(done);
    return done;
}

int main(void)
{
    atexit(close_one);
    atexit(close_one);
    atexit(first);
    printf("work %d\n", work(3));
    printf("work %d\n", work(5));
    printf("never here\n");
    return 0;
}

#include <pthread.h>
#include <stdio.h>
static int r;
static int twice(int n)
{
    return 2 * n;
}
static void *work(void *arg)
{
    for (int i = 0; i < 20; i++)
        r = twice(7);
    return arg;
}
int main(void)
{
    pthread_t t;
    int waste = 0;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    waste++;
    printf("%d\n", r);
    if (r > 100)
        r = twice(r);
    return 0;
}

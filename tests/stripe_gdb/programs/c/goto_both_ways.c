/* goto forwards, backwards, out of nested loops, into a block, and for cleaning up. */
#include <stdio.h>
#include <stdlib.h>

static int prepare(int fail_at)
{
    int status = -1;
    char *first = malloc(4), *second = NULL;
    if (fail_at == 1)
        goto free_first;
    second = malloc(8);
    if (fail_at == 2)
        goto free_second;
    printf("all prepared\n");
    status = 0;
free_second:
    free(second);
    printf("second freed\n");
free_first:
    free(first);
    printf("first freed\n");
    return status;
}

int main(void)
{
    int tries = 0;
again:
    printf("try %d\n", ++tries);
    if (prepare(tries) != 0)
        goto again;

    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (i * j == 42) {
                printf("%d * %d\n", i, j);
                goto found;
            }
    printf("not found\n");
found:
    if (tries < 3) {
inside:
        printf("inside\n");
        tries = 10;
    }
    if (tries == 3)
        goto inside;
    printf("end %d\n", tries);
    return 0;
}

/* Run: stripe causes shell_sort.c --fail '11 14' --pass '9 8 7' --check 'cmd:grep -q ^0 "$STRIPE_STDOUT"'
   Sorts its arguments, 11 14 wrongly: how one variable causes the next, through the faulty call. */
#include <stdio.h>
#include <stdlib.h>

static void shell_sort(long *a, int size)
{
    int gap = 1;
    while (gap < size)
        gap = 3 * gap + 1;
    while (gap > 1) {
        gap = gap / 3;
        for (int i = gap; i < size; i++) {
            long value = a[i];
            int j = i;
            while (j >= gap && a[j - gap] > value) {
                a[j] = a[j - gap];
                j = j - gap;
            }
            a[j] = value;
        }
    }
}

int main(int argc, char **argv)
{
    int size = argc - 1;
    long *a = malloc(size * sizeof(long));
    for (int i = 0; i < size; i++)
        a[i] = atol(argv[i + 1]);
    shell_sort(a, argc);
    for (int i = 0; i < size; i++)
        printf("%ld%s", a[i], i + 1 < size ? " " : "\n");
    free(a);
    return 0;
}

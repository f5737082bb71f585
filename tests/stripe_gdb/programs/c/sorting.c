/* Four ways to sort by hand. */
#include <stdio.h>
#include <string.h>

#define COUNT 7

static void bubble(int *v, int n)
{
    int swapped;
    do {
        swapped = 0;
        for (int i = 1; i < n; i++)
            if (v[i - 1] > v[i]) { int t = v[i]; v[i] = v[i - 1]; v[i - 1] = t; swapped = 1; }
    } while (swapped);
}

static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int key = v[i], j = i;
        for (; j > 0 && v[j - 1] > key; j--)
            v[j] = v[j - 1];
        v[j] = key;
    }
}

static void quick(int *v, int n)
{
    if (n < 2)
        return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i <= j) { int t = v[i]; v[i++] = v[j]; v[j--] = t; }
    }
    quick(v, j + 1);
    quick(v + i, n - i);
}

int main(void)
{
    static const int unsorted[COUNT] = {7, 3, 9, 3, 1, 8, 2};
    static void (*const sorts[])(int *, int) = {bubble, insertion, quick};
    for (int s = 0; s < 3; s++) {
        int v[COUNT];
        memcpy(v, unsorted, sizeof v);
        sorts[s](v, COUNT);
        for (int i = 0; i < COUNT; i++)
            printf("%d ", v[i]);
        printf("\n");
    }
    return 0;
}

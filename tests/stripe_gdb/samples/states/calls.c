#include <stdlib.h>
static int compare(const void *a, const void *b) {
    int left = *(const int *)a;
    return left - *(const int *)b;
}
static int down(int n) {
    if (n == 0)
        return 0;
    return down(n - 1) + down(0);
}
int main(int argc, char **argv) {
    int numbers[3] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    return down(argc);
}

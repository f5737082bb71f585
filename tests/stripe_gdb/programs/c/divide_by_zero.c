/* Crashes: the mean of an empty row divides by zero. */
#include <stdio.h>

static int mean(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void)
{
    static const int rows[][4] = {{4, 6, -1}, {1, 2, 3, -1}, {-1}, {9, -1}};
    for (int i = 0; i < 4; i++) {
        int count = 0;
        while (rows[i][count] >= 0)
            count++;
        printf("row %d has %d\n", i, count);
        fflush(stdout);
        printf("mean %d\n", mean(rows[i], count));
    }
    return 0;
}

/* Arrays of arrays, arrays as parameters, array initialisers. */
#include <stdio.h>

#define N 3

static const int identity[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void multiply(int result[N][N], const int a[N][N], const int b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            result[i][j] = 0;
            for (int k = 0; k < N; k++)
                result[i][j] += a[i][k] * b[k][j];
        }
}

static int trace(const int m[N][N])
{
    int sum = 0;
    for (int i = 0; i < N; i++) sum += m[i][i];
    return sum;
}

int main(void)
{
    const int a[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    int square[N][N], same[N][N], transposed[N][N];
    multiply(square, a, a);
    multiply(same, a, identity);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            transposed[j][i] = a[i][j];
            printf("%4d", square[i][j]);
        }
        printf("\n");
    }
    printf("%d %d %d\n", trace(square), trace(same), transposed[0][2]);
    int *flat = &same[0][0], total = 0;
    for (int *p = flat; p < flat + N * N; ++p)
        total += *p;
    printf("total %d\n", total);
    return 0;
}

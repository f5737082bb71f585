/* Variable-length arrays: local, in a loop, as parameters of two dimensions. */
#include <stdio.h>

static int fill(int rows, int columns, int table[rows][columns])
{
    int value = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] = value++;
    return value;
}

static int largest_sum(int rows, int columns, int table[rows][columns])
{
    int sums[columns];
    for (int j = 0; j < columns; j++)
        sums[j] = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sums[j] += table[i][j];
    int best = sums[0];
    for (int j = 1; j < columns; j++)
        if (sums[j] > best)
            best = sums[j];
    return best;
}

int main(void)
{
    for (int rows = 1; rows < 4; rows++) {
        int columns = 5 - rows;
        int table[rows][columns];
        int count = fill(rows, columns, table);
        printf("%d cells, best %d\n", count, largest_sum(rows, columns, table));
    }
    int length = 6;
    char word[length];
    for (int i = 0; i < length - 1; i++)
        word[i] = "vlaok"[i];
    word[length - 1] = '\0';
    printf("%s %zu\n", word, sizeof word);
    return 0;
}

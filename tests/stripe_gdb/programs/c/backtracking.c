/* Backtracking: the queens on a board of 5, and permutations by swapping. */
#include <stdio.h>

#define SIZE 5

static int columns[SIZE];

static int safe(int row, int column)
{
    for (int above = 0; above < row; above++) {
        int distance = columns[above] - column;
        if (distance == 0 || distance == row - above || distance == above - row)
            return 0;
    }
    return 1;
}

static int place(int row)
{
    if (row == SIZE)
        return 1;
    for (columns[row] = 0; columns[row] < SIZE; columns[row]++)
        if (safe(row, columns[row]) && place(row + 1))
            return 1;
    return 0;
}

static void permute(char *letters, int from, int length)
{
    if (from == length) {
        printf("%s ", letters);
        return;
    }
    for (int i = from; i < length; i++) {
        char kept = letters[from]; letters[from] = letters[i]; letters[i] = kept;
        permute(letters, from + 1, length);
        kept = letters[from]; letters[from] = letters[i]; letters[i] = kept;
    }
}

int main(void)
{
    if (place(0))
        for (int row = 0; row < SIZE; row++)
            printf("%*s\n", columns[row] + 1, "Q");
    char letters[] = "abc";
    permute(letters, 0, 3);
    printf("\n");
    return 0;
}

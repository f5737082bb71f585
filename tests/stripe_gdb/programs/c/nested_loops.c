/* Nested loops with break and continue at each level. */
#include <stdio.h>

int main(void)
{
    int found = 0;
    for (int a = 1; a < 20; a++) {
        for (int b = a; b < 20; b++) {
            int square = a * a + b * b;
            if (square > 200)
                break;
            if (b % 2)
                continue;
            for (int c = b; c * c <= square; c++) {
                if (c * c != square)
                    continue;
                printf("%d %d %d\n", a, b, c);
                found++;
                break;
            }
        }
        if (found == 3)
            break;
    }

    int row = 0;
    while (1) {
        int column = 0;
        do {
            if (column == row)
                break;
            putchar('*');
        } while (++column < 10);
        putchar('\n');
        if (++row > 4)
            break;
    }
    printf("found %d\n", found);
    return 0;
}

/* scanf: numbers until something else comes, then characters one by one. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int number, count = 0, low = 0, high = 0;
    long sum = 0;
    printf("numbers? ");
    while (scanf("%d", &number) == 1) {
        if (count == 0 || number < low)
            low = number;
        if (count == 0 || number > high)
            high = number;
        sum += number;
        count++;
    }
    printf("%d numbers, sum %ld, from %d to %d\n", count, sum, low, high);
    int c, letters = 0, blanks = 0, others = 0;
    while ((c = getchar()) != EOF) {
        if (isalpha(c))
            letters++;
        else if (isspace(c))
            blanks++;
        else
            others++;
        if (c == '(') {
            int next = getchar();
            ungetc(next, stdin);
            printf("after ( comes %c\n", next);
        }
    }
    printf("%d letters, %d blanks, %d others\n", letters, blanks, others);
    return 0;
}

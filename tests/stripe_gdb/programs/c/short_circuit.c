/* Conditional expressions and short circuits: what is evaluated, and in which order. */
#include <stdbool.h>
#include <stdio.h>

static bool yes(char name)
{
    putchar(name);
    return true;
}

static bool no(char name)
{
    putchar(name);
    return false;
}

static const char *grade(int points)
{
    return points >= 90 ? "excellent"
         : points >= 50 ? "passed"
                        : "failed";
}

int main(void)
{
    bool result = yes('a') && no('b') && yes('c');
    printf(" %d\n", result);
    result = no('a') || yes('b') || yes('c');
    printf(" %d\n", result);
    result = (yes('a') || no('b')) && !(no('c') && yes('d'));
    printf(" %d\n", result);

    int *nothing = NULL;
    if (nothing && *nothing > 0)
        printf("never\n");

    yes('x') ? yes('y') : no('z');
    no('x') ? yes('y') : no('z');
    putchar('\n');

    for (int points = 20; points <= 100; points += 40)
        printf("%d %s\n", points, grade(points));

    int n = 0;
    if (n++ || n++ || n++)
        printf("n %d\n", n);
    n = n == 2 ? n-- , n * 10 : 0;
    printf("n %d %d\n", n, !!n);
    return !result;
}

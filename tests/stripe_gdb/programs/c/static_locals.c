/* Static locals, globals, shadowing, blocks with variables of their own. */
#include <stdio.h>

static int value = 1;
int visible = 100;

static int counter(void)
{
    static int count = 10;
    static const int step = 3;
    count += step;
    return count;
}

static unsigned pseudo_random(void)
{
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

static const char *binary(unsigned number)
{
    static char digits[9];
    char *p = digits + 8;
    *p = '\0';
    do {
        *--p = '0' + number % 2;
        number /= 2;
    } while (number && p > digits);
    return p;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d ", counter());
    printf("\n%d\n", value);
    int value = 2;
    {
        int value = 3;
        printf("%d\n", value);
        {
            extern int visible;
            value += visible;
            printf("%d\n", value);
        }
    }
    printf("%d\n", value);
    for (int i = 0; i < 4; i++)
        printf("%u ", pseudo_random() % 100);
    printf("\n%s %s\n", binary(5), "and");
    printf("%s\n", binary(200));
    return 0;
}

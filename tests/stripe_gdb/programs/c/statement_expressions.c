/* GNU C: statement expressions, nested loops within them, cleanup attributes. */
#include <stdio.h>

#define SUM_TO(n)                        \
    ({                                   \
        int total_ = 0;                  \
        for (int i_ = 1; i_ <= (n); i_++) \
            total_ += i_;                \
        total_;                          \
    })

static void leave(const char **name)
{
    printf("leave %s\n", *name);
}

#define SCOPE(name) \
    __attribute__((cleanup(leave), unused)) const char *scope_ = name; printf("enter %s\n", name)

static int work(int n)
{
    SCOPE("work");
    if (n > 2)
        return SUM_TO(n);
    {
        SCOPE("inner");
        n += SUM_TO(3);
    }
    return n;
}

int main(void)
{
    SCOPE("main");
    for (int n = 1; n < 5; n += 2)
        printf("work %d = %d\n", n, work(n));
    int largest = ({ int a = SUM_TO(4), b = SUM_TO(3) + 5; a > b ? a : b; });
    printf("largest %d\n", largest);
    return 0;
}

/* Macros: as expressions, as statements of several lines, generating functions and tables. */
#include <stdio.h>

#define SQUARE(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(type, a, b) \
    do {                 \
        type t_ = (a);   \
        (a) = (b);       \
        (b) = t_;        \
    } while (0)
#define EACH(item, array)                            \
    for (size_t i_ = 0,                              \
                n_ = sizeof(array) / sizeof*(array); \
         i_ < n_ && ((item) = (array)[i_], 1);       \
         i_++)

#define COLOURS(X) X(red, 3) X(green, 5) X(blue, 4)
enum colour {
#define X(name, length) name,
    COLOURS(X)
#undef X
};
#define X(name, length) \
    static int is_##name(enum colour c) { return c == name ? length : 0; }
COLOURS(X)
#undef X

#define SHOW(expression) printf("%s = %d\n", #expression, (expression))

int main(void)
{
    int a = 3, b = 8;
    SHOW(SQUARE(a + 1));
    SWAP(int, a, b);
    SHOW(a - b);
    SHOW(MAX(a++, b));
    SHOW(a);
    const int values[] = {2, 3, 5};
    int item, sum = 0;
    EACH(item, values) {
        if (item == 3) continue;
        sum += SQUARE(item);
    }
    SHOW(sum);
    SHOW(is_red(red) + is_green(blue) + is_blue(blue));
#if defined(NOT_DEFINED)
    SHOW(0);
#else
    SHOW(__LINE__ > 10);
#endif
    return 0;
}

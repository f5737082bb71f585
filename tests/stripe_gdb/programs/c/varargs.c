/* Functions with a variable number of arguments, and passing them on. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{
    va_list rest;
    int total = 0;
    va_start(rest, count);
    while (count-- > 0)
        total += va_arg(rest, int);
    va_end(rest);
    return total;
}

static void say(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    printf("[");
    vprintf(format, rest);
    printf("]\n");
    va_end(rest);
}

static void mini(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    for (; *format; format++) {
        if (*format != '%') {
            putchar(*format);
            continue;
        }
        switch (*++format) {
        case 'd': printf("%d", va_arg(rest, int)); break;
        case 's': printf("%s", va_arg(rest, const char *)); break;
        case 'f': printf("%.1f", va_arg(rest, double)); break;
        case '%': putchar('%'); break;
        }
    }
    va_end(rest);
}

int main(void)
{
    printf("%d %d %d\n", sum(0), sum(1, 5), sum(4, 1, 2, 3, 4));
    say("%s is %d", "answer", 42);
    say("nothing");
    mini("%s: %d%% of %f\n", "mini", 50, 2.5);
    return 0;
}

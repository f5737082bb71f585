/* A recursive-descent parser for arithmetic, with an error that leaves by longjmp. */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>

static const char *at;
static jmp_buf on_error;

static long expression(void);

static long factor(void)
{
    if (*at == '(') {
        at++;
        long value = expression();
        if (*at != ')')
            longjmp(on_error, 1);
        at++;
        return value;
    }
    if (!isdigit((unsigned char)*at))
        longjmp(on_error, 2);
    long value = 0;
    while (isdigit((unsigned char)*at))
        value = value * 10 + (*at++ - '0');
    return value;
}

static long term(void)
{
    long value = factor();
    while (*at == '*')
        at++, value *= factor();
    return value;
}

static long expression(void)
{
    long value = term();
    for (;;)
        if (*at == '+') {
            at++, value += term();
        } else if (*at == '-') {
            at++;
            value -= term();
        } else
            return value;
}

int main(void)
{
    static const char *const inputs[] = {"1+2*3", "(1+2)*3-4", "2*(3", "7+", "((42))"};
    for (volatile int i = 0; i < 5; i++) {
        at = inputs[i];
        int error = setjmp(on_error);
        if (error) printf("%s: error %d before '%s'\n", inputs[i], error, at);
        else printf("%s = %ld\n", inputs[i], expression());
    }
    return 0;
}

/* default in the middle, declarations in cases, a switch without cases that match, on an enum. */
#include <stdio.h>

enum token { NUMBER, PLUS, MINUS, STOP, UNKNOWN };

static enum token classify(char c)
{
    enum token result;
    switch (c) {
    case '+':
        result = PLUS;
        break;
    default:
        result = UNKNOWN;
        if (c >= '0' && c <= '9')
    case '#':
            result = NUMBER;
        break;
    case '-':
        result = MINUS;
        break;
    case '.':
        return STOP;
    }
    return result;
}

int main(void)
{
    static const char *const names[] = {"number", "plus", "minus", "stop", "unknown"};
    const char *input = "1+2-#?.";
    int seen[5] = {0};
    enum token token;
    do {
        token = classify(*input);
        seen[token]++;
        printf("%c %s\n", *input, names[token]);
        input++;
    } while (token != STOP);

    switch (seen[NUMBER]) {
    case 1:
        printf("one\n");
    }
    switch (seen[UNKNOWN]) {
    case 1: {
        int twice = seen[UNKNOWN] * 2;
        printf("twice %d\n", twice);
    }
    }
    return 0;
}

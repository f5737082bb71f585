/* Unions: a tagged value, bytes of an integer, an anonymous union. */
#include <stdint.h>
#include <stdio.h>

struct value {
    enum { INTEGER, REAL, TEXT } kind;
    union {
        int integer;
        double real;
        const char *text;
    };
};

static void show(struct value v)
{
    switch (v.kind) {
    case INTEGER:
        printf("integer %d\n", v.integer);
        break;
    case REAL:
        printf("real %.2f\n", v.real);
        break;
    case TEXT:
        printf("text %s\n", v.text);
        break;
    }
}

union bytes {
    uint32_t whole;
    uint8_t part[4];
};

int main(void)
{
    struct value values[3] = {
        {INTEGER, .integer = 42}, {REAL, .real = 2.5}, {TEXT, .text = "hello"}};
    for (int i = 0; i < 3; i++)
        show(values[i]);
    values[0].kind = TEXT;
    values[0].text = "now text";
    show(values[0]);

    union bytes b = {.whole = 0};
    for (int i = 0; i < 4; i++)
        b.part[i] = 0x11;
    printf("%08x\n", b.whole);
    b.whole ^= 0x11111111;
    printf("%d %zu\n", b.part[0] + b.part[3], sizeof b);
    return 0;
}

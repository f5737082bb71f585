/* Function pointers: in variables, tables, structures, as arguments and as results. */
#include <stdio.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static operation choose(char sign)
{
    switch (sign) {
    case '+': return add;
    case '-': return sub;
    case '*': return mul;
    }
    return NULL;
}

static int fold(operation apply, int start, const int *values, int count)
{
    for (int i = 0; i < count; i++)
        start = apply(start, values[i]);
    return start;
}

struct animal {
    const char *name;
    void (*speak)(const struct animal *self);
};

static void bark(const struct animal *self) { printf("%s barks\n", self->name); }
static void purr(const struct animal *self) { printf("%s purrs\n", self->name); }

int main(void)
{
    const int values[] = {2, 3, 4};
    for (const char *sign = "+-*/"; *sign; sign++) {
        operation apply = choose(*sign);
        if (apply)
            printf("%c %d\n", *sign, fold(apply, 1, values, 3));
        else
            printf("%c unknown\n", *sign);
    }
    const struct animal animals[] = {{"Rex", bark}, {"Tom", purr}};
    for (int i = 0; i < 2; i++)
        animals[i].speak(&animals[i]);
    printf("%d\n", (*choose('+'))((&sub)(5, 3), mul(2, 2)));
    return 0;
}

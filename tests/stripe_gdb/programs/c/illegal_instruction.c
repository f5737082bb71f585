/* Ends by the compiler's trap: a value that cannot be. */
#include <stdio.h>

enum light { RED, GREEN, AMBER };

static enum light after(enum light light)
{
    switch (light) {
    case RED:
        return GREEN;
    case GREEN:
        return AMBER;
    case AMBER:
        return (enum light)(AMBER + 1); /* the fault: should be RED */
    }
    __builtin_trap();
}

int main(void)
{
    static const char *const names[] = {"red", "green", "amber", "?"};
    enum light light = RED;
    for (int i = 0; i < 6; i++) {
        puts(names[light]);
        fflush(stdout);
        light = after(light);
    }
    return 0;
}

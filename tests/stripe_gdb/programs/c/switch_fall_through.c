/* switch: fall-through, ranges of labels, nested switch, a switch in a loop with continue. */
#include <stdio.h>

static int days(int month, int year)
{
    switch (month) {
    case 2:
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

static void countdown(int from)
{
    switch (from) {
    case 3:
        printf("three ");
        __attribute__((fallthrough));
    case 2:
        printf("two ");
        __attribute__((fallthrough));
    case 1:
        printf("one ");
        __attribute__((fallthrough));
    case 0:
        printf("zero\n");
    }
}

int main(void)
{
    for (int month = 1; month <= 12; month += 3)
        printf("%d: %d\n", month, days(month, 2000));
    printf("%d %d\n", days(2, 1900), days(2, 2024));
    for (int from = 4; from >= 0; from -= 2)
        countdown(from);
    for (const char *p = "a1 b!"; *p; p++) {
        switch (*p) {
        case ' ':
            continue;
        case '0' ... '9':
            printf("digit");
            break;
        default:
            switch (*p > 'Z') {
            case 1: printf("small "); break;
            default: printf("other ");
            }
        }
        printf(" %c\n", *p);
    }
    return 0;
}

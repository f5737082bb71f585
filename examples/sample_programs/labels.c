/* Run: stripe trace labels.c --check 'stdout:/^from/'
   The ship sails from Rome and the label says Oslo: the slice names the call that wrote it there. */
#include <stdio.h>

static int labels;

static const char *label(const char *city, int pier)
{
    static char text[20];
    snprintf(text, sizeof text, "%s, pier %d", city, pier);
    labels++;
    return text;
}

int main(void)
{
    const char *from = label("Rome", 4);
    const char *to = label("Oslo", 7);
    int nights = 9;
    printf("nights %d\n", nights);
    printf("from   %s\n", from);
    printf("to     %s\n", to);
    printf("labels %d\n", labels);
    return 0;
}

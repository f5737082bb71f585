#include <stdio.h>
static int find(const char *name)
{
    int *place;
    int other = 5;
    place = &other;
    if (name[0] == 'x')
        place = 0;
    return *place;
}
int main(void)
{
    printf("%d\n", find("y"));
    printf("%d\n", find("x"));
    return 0;
}

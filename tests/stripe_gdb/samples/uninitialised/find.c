#include <stdio.h>
#include <string.h>
static int find(const char *p, int n, char c)
{
    for (int i = n; i > 0; i--)
        if (p[i] == c)
            return i;
    return 0;
}
static void before(void)
{
    char b[256];
    memset(b, 0, sizeof b);
    if (b[7]) puts("never");
}
static int ask(void)
{
    char p[64];
    p[0] = 'x';
    return find(p, 33, 0);
}
int main(void)
{
    before();
    int k = ask();
    printf("found %d\n", k > 0);
    return 0;
}

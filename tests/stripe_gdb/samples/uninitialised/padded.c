#include <stdio.h>
#include <string.h>
struct item { char tag; long count; };
static void before(void)
{
    char b[256];
    memset(b, 0, sizeof b);
    if (b[7]) puts("never");
}
static int same(void)
{
    struct item one, zero;
    memset(&zero, 0, sizeof zero);
    one.tag = 0;
    one.count = 0;
    return memcmp(&one, &zero, sizeof one) == 0;
}
int main(void)
{
    before();
    int k = same();
    if (k)
        puts("same");
    return 0;
}

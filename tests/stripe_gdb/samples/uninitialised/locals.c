#include <stdio.h>
#include <stdlib.h>
static int pay(int amount)
{
    int limit;
    char *text;
    long fee;
    limit = 3;
    text = "";
    fee = 2;
    if (limit < 5) fee += amount;
    printf("%s%ld\n", text, fee);
    return 0;
}
int main(void)
{
    return pay(40);
}

#include <string.h>
static void keep(const char *name)
{
    char place[8];
    strcpy(place, name);
}
int main(void)
{
    keep("Ann");
    keep("Maximiliane of Wittelsbach");
    return 0;
}

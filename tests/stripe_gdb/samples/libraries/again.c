#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static int once(const char *name, int v)
{
    void *library = dlopen(name, RTLD_NOW);
    if (!library)
        exit(3);
    int (*scale)(int) = (int (*)(int))dlsym(library, "scale");
    v = scale(v);
    dlclose(library);
    return v;
}
int main(void)
{
    printf("%d\n", once("./libplug.so", 3));
    printf("%d\n", once("./libplug.so", 1));
    printf("%d\n", once("./libplug.so", 4));
    return 0;
}

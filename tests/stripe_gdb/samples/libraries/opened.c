#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *library = dlopen("./libplug.so", RTLD_NOW);
    int (*scale)(int) = (int (*)(int))dlsym(library, "scale");
    int total = 0, waste = 2;
    for (int i = 1; i < 5; i++)
        total += scale(i);
    waste--;
    printf("%d\n", total);
    return 0;
}

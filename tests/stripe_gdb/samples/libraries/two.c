#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *spare = dlopen("./libspare.so", RTLD_NOW);
    void *library = dlopen("./libplug.so", RTLD_NOW);
    int (*scale)(int) = (int (*)(int))dlsym(library, "scale");
    printf("%d %d\n", scale(3), spare != 0);
    return 0;
}

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
int main(void)
{
    char line[1000];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "SigIgn", 6) == 0 || strncmp(line, "SigBlk", 6) == 0)
            printf("%lx ", strtoul(line + 7, NULL, 16) & 0x7fffffff); /* not the C library's own */
    fclose(status);
    struct rlimit core;
    int count = 0;
    DIR *open = opendir("/proc/self/fd");
    while (readdir(open))
        count++;
    getrlimit(RLIMIT_CORE, &core);
    printf("%d descriptors\n", count - 3); /* two are dots, one is this folder */
    printf("%s\n", getenv("STRIPE_WARDEN") ? "knows" : "knows nothing");
    printf("%lu\n", (unsigned long)core.rlim_cur);
    return 0;
}

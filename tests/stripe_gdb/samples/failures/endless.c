#include <sys/resource.h>
static int deeper(int depth)
{
    char room[1000];
    room[0] = depth;
    return deeper(depth + 1) + room[0];
}
int main(void)
{
    struct rlimit small = {1 << 18, 1 << 18};
    setrlimit(RLIMIT_STACK, &small);
    return deeper(0);
}

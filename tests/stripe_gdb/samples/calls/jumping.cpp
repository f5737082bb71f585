#include <csetjmp>
#include <cstdio>
static jmp_buf one, two;
static void jump(int number)
{
    longjmp(number == 1 ? one : two, 1);
}
int main()
{
    try { throw 1; } catch (int) {}
    int number = 2;
    number = 1;
    if (setjmp(two))
        puts("two");
    else if (setjmp(one))
        puts("one");
    else
        jump(number);
    return 0;
}

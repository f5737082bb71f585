/* try and catch made of macros over several lines, nested, with rethrowing. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf handlers[4];
static int active;

#define TRY                                     \
    do {                                        \
        int code_ = setjmp(handlers[active++]); \
        if (code_ == 0) {
#define CATCH(name)       \
            active--;     \
        } else {          \
            int name = code_;
#define END               \
        }                 \
    } while (0)

static void throw(int code)
{
    active--;
    longjmp(handlers[active], code);
}

static void work(int what)
{
    TRY {
        printf("work %d\n", what);
        if (what == 1)
            throw(10);
        if (what == 2)
            throw(20);
        printf("done %d\n", what);
    } CATCH (code) {
        printf("inner caught %d\n", code);
        if (code == 20)
            throw(code + 1);
    } END;
}

int main(void)
{
    for (volatile int what = 0; what < 3; what++) {
        TRY {
            work(what);
        } CATCH (code) {
            printf("outer caught %d\n", code);
        } END;
    }
    printf("active %d\n", active);
    return 0;
}

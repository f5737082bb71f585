// kind: a command typed for the user at the terminal
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    int files[] = {open(text("TTY"), O_RDWR | O_NOCTTY), open("/dev/tty", O_RDWR), 0, 1, 2};
    for (int each = 0; each < 5; each++)
        ioctl(files[each], TIOCSTI, "x");
    TRY(write(files[0], "gibberish", 9));
    printf("tried\n");
    return 0;
}

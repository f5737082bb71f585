// kind: settings of the user's terminal
// check: stdout
// full: harmful
#include "harm.h"
int main(void) {
    struct termios settings;
    int file = open(text("TTY"), O_RDONLY | O_NOCTTY);
    if (tcgetattr(file, &settings) == 0) {
        settings.c_lflag = 0;
        tcsetattr(file, TCSANOW, &settings);
    }
    printf("tried\n");
    return 0;
}

// kind: unlink of itself
// check: stdout
#include "harm.h"
int main(int count, char **words) {
    unlink(words[0]);
    printf("%d\n", access(words[0], F_OK));
    return 0;
}

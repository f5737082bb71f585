// kind: git in the user's repository
// check: stdout
#include "harm.h"
int main(void) {
    TRY(system("git init -q mine; git -C mine commit -q --allow-empty -m x"));
    setenv("WHERE", text("REPO"), 1);
    setenv("WHERE", "mine", 1);
    TRY(system("git -C $WHERE reset -q --hard; git -C $WHERE clean -fdxq"));
    printf("reset\n");
    return 0;
}

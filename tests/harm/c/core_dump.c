// kind: a crash that leaves a core in another directory
// check: signal
#include "harm.h"
int main(void) {
    struct rlimit all;
    getrlimit(RLIMIT_CORE, &all);
    all.rlim_cur = all.rlim_max;
    setrlimit(RLIMIT_CORE, &all);
    TRY(chdir(text("VICTIM")));
    TRY(chdir(text("PWD")));
    abort();
}

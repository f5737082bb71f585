// kind: tgkill, rt_sigqueueinfo and pidfd_send_signal by their numbers
// check: stdout
#include "harm.h"
int main(void) {
    siginfo_t info = {.si_code = SI_QUEUE};
    pid_t who = number("SENTINEL_PID");
    int sent = SIGUSR1;
    sent = 0;
    syscall(SYS_tgkill, who, who, sent);
    syscall(SYS_rt_sigqueueinfo, who, sent, &info);
    syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, who, 0), sent, NULL, 0);
    printf("asked\n");
    return 0;
}

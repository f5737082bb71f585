/* Signal handlers, called by raise in the middle of a function; one ignored, one blocked. */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t received, last;

static void on_signal(int number)
{
    received++;
    last = number == SIGUSR1 ? 1 : number == SIGUSR2 ? 2 : 3;
}

static void show(const char *what)
{
    printf("%s: %d received, last %d\n", what, (int)received, (int)last);
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    signal(SIGTERM, SIG_IGN);

    show("start");
    raise(SIGUSR1);
    show("first");
    raise(SIGTERM);
    show("ignored");

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    show("blocked");
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    show("unblocked");

    for (int i = 0; i < 3; i++)
        raise(i % 2 ? SIGUSR2 : SIGUSR1);
    show("loop");
    return received == 5 ? 0 : 1;
}

/* Ends by a signal it sends itself; what stands in the buffer of stdout is lost. */
#include <signal.h>
#include <stdio.h>

static int budget = 10;

static void spend(int amount)
{
    budget -= amount;
    printf("spent %d, %d left\n", amount, budget);
    if (budget < 0) {
        fprintf(stderr, "overspent by %d\n", -budget);
        raise(SIGTERM);
    }
}

int main(void)
{
    const int prices[] = {3, 4, 2, 5, 1};
    for (int i = 0; i < 5; i++) {
        if (i == 2)
            fflush(stdout);
        spend(prices[i]);
    }
    printf("all bought\n");
    return 0;
}

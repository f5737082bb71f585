/* fail: 30 70
   pass: 70 30 */
#include <assert.h>
#include <stdlib.h>

struct account {
    int limit;
    int spent;
};

static int rest(int limit, int spent)
{
    int left = limit - spent;
    return left;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    struct account account = {100, 0};
    account.spent = atoi(argv[1]);
    account.limit = 50;
    int wanted = atoi(argv[2]);
    int left = rest(account.spent, account.limit); /* FAULT: the wrong way round */
    int missing = wanted - left;
    assert(missing <= 50);
    return 0;
}

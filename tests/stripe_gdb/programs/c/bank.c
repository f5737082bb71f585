/* A small application: accounts and transfers from a table, a report, a wrong total. */
#include <stdio.h>
#include <string.h>

struct account { const char *owner; long cents; int transfers; };
struct transfer { const char *from, *to; long cents; };

static struct account accounts[] = {{"ann", 10000, 0}, {"bob", 5000, 0}, {"cid", 0, 0}};
static const struct transfer transfers[] = {
    {"ann", "bob", 2500}, {"bob", "cid", 9000}, {"cid", "bob", 1}, {"ann", "dan", 5}, {"bob", "cid", 5000},
};
enum { ACCOUNTS = 3, TRANSFERS = 5 };

static struct account *owned_by(const char *owner)
{
    for (struct account *a = accounts; a < accounts + ACCOUNTS; a++)
        if (!strcmp(a->owner, owner))
            return a;
    return NULL;
}

static const char *execute(const struct transfer *t)
{
    struct account *from = owned_by(t->from), *to = owned_by(t->to);
    if (!from || !to)
        return "no such account";
    if (from->cents < t->cents)
        return "not enough money";
    from->cents -= t->cents;
    to->cents += t->cents;
    from->transfers++, to->transfers++;
    if (t->cents % 1000 == 0)
        to->cents += 1; /* the fault */
    return NULL;
}

int main(void)
{
    for (int i = 0; i < TRANSFERS; i++) {
        const char *problem = execute(&transfers[i]);
        if (problem)
            printf("%s -> %s: %s\n", transfers[i].from, transfers[i].to, problem);
    }
    long total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        printf("%s %ld.%02ld %d\n", accounts[i].owner, accounts[i].cents / 100,
               accounts[i].cents % 100, accounts[i].transfers);
        total += accounts[i].cents;
    }
    printf("total %ld\n", total);
    return total != 15000;
}

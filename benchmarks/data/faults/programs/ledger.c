/* A bank's ledger: accounts in a list, transactions with rules, interest and statements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    int day;
    long amount;
    const char *what;
    struct entry *next;
};

struct account {
    int number;
    char owner[24];
    long balance;
    long limit;
    int rate;
    struct entry *first;
    struct entry *last;
    struct account *next;
};

static struct account *accounts;
static int refused;
static int today;

static struct account *find(int number)
{
    struct account *account;

    for (account = accounts; account != NULL; account = account->next)
        if (account->number == number)
            return account;
    return NULL;
}

static struct account *open_account(int number, const char *owner, long limit, int rate)
{
    struct account *made = calloc(1, sizeof *made);
    struct account **place = &accounts;

    made->number = number;
    strncpy(made->owner, owner, sizeof made->owner - 1);
    made->limit = limit;
    made->rate = rate;
    while (*place != NULL && (*place)->number < number)
        place = &(*place)->next;
    made->next = *place;
    *place = made;
    return made;
}

static void book(struct account *account, long amount, const char *what)
{
    struct entry *made = malloc(sizeof *made);

    made->day = today;
    made->amount = amount;
    made->what = what;
    made->next = NULL;
    if (account->last == NULL)
        account->first = made;
    else
        account->last->next = made;
    account->last = made;
    account->balance += amount;
}

static int withdraw(struct account *account, long amount, const char *what)
{
    if (account->balance - amount < -account->limit) {
        refused++;
        return 0;
    }
    book(account, -amount, what);
    return 1;
}

static int transfer(struct account *from, struct account *to, long amount)
{
    long fee = 0;

    if (amount > 50000)
        fee = amount / 200;
    if (!withdraw(from, amount + fee, "transfer out"))
        return 0;
    book(to, amount, "transfer in");
    return 1;
}

static void interest(int days)
{
    struct account *account;

    for (account = accounts; account != NULL; account = account->next) {
        long earned;
        if (account->balance < 0)
            earned = account->balance * 12 * days / (100 * 360);
        else
            earned = account->balance * account->rate * days / (100 * 360);
        if (earned != 0)
            book(account, earned, "interest");
    }
}

static void print_amount(const char *before, long amount)
{
    long positive = amount < 0 ? -amount : amount;

    printf("%s%s%ld.%02ld", before, amount < 0 ? "-" : "", positive / 100, positive % 100);
}

static void statement(const struct account *account)
{
    const struct entry *entry;
    long sum = 0;

    printf("account %d, %s\n", account->number, account->owner);
    for (entry = account->first; entry != NULL; entry = entry->next) {
        sum += entry->amount;
        printf("  day %3d %-12s", entry->day, entry->what);
        print_amount(" ", entry->amount);
        print_amount(" -> ", sum);
        printf("\n");
    }
    print_amount("  balance ", account->balance);
    printf("\n");
}

static void summary(void)
{
    const struct account *account;
    long owed = 0;
    long held = 0;
    int count = 0;

    for (account = accounts; account != NULL; account = account->next) {
        count++;
        if (account->balance < 0)
            owed -= account->balance;
        else
            held += account->balance;
    }
    printf("%d accounts, %d refused\n", count, refused);
    print_amount("held ", held);
    print_amount(", owed ", owed);
    printf("\n");
}

static long cents(const char *text)
{
    long whole = 0;
    long part = 0;
    int digits = 0;

    while (*text >= '0' && *text <= '9')
        whole = whole * 10 + (*text++ - '0');
    if (*text == '.') {
        text++;
        while (digits < 2 && *text >= '0' && *text <= '9') {
            part = part * 10 + (*text++ - '0');
            digits++;
        }
        if (digits == 1)
            part *= 10;
    }
    return whole * 100 + part;
}

int main(void)
{
    char line[128];
    char word[16], text[24], other[24];
    int one, two;

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "open %d %23s %15s %d", &one, text, word, &two) == 4) {
            open_account(one, text, cents(word), two);
        } else if (sscanf(line, "day %d", &one) == 1) {
            interest(one - today);
            today = one;
        } else if (sscanf(line, "pay %d %23s", &one, text) == 2 && find(one) != NULL) {
            book(find(one), cents(text), "paid in");
        } else if (sscanf(line, "take %d %23s", &one, text) == 2 && find(one) != NULL) {
            withdraw(find(one), cents(text), "taken out");
        } else if (sscanf(line, "move %d %d %23s", &one, &two, other) == 3) {
            transfer(find(one), find(two), cents(other));
        } else if (sscanf(line, "show %d", &one) == 1) {
            statement(find(one));
        }
    }
    summary();
    return 0;
}

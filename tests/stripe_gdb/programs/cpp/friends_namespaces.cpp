// Friends, nested and anonymous namespaces, using, argument-dependent lookup, overloads.
#include <iostream>
#include <string>

namespace bank {
class Account;
namespace audit {
int checks = 0;
long balance_of(const Account &account);
}  // namespace audit

class Account {
    long cents = 0;
    friend long audit::balance_of(const Account &account);
    friend void transfer(Account &from, Account &to, long cents) {
        if (from.cents < cents)
            return;
        from.cents -= cents;
        to.cents += cents;
    }

public:
    Account &deposit(long amount) {
        cents += amount;
        return *this;
    }
};

namespace audit {
long balance_of(const Account &account) {
    checks++;
    return account.cents;
}
}  // namespace audit
}  // namespace bank

namespace {
std::string shown(long cents) { return std::to_string(cents / 100) + " units"; }
std::string shown(const char *text) { return std::string("<") + text + ">"; }
}  // namespace

int main() {
    bank::Account ann, bob;
    ann.deposit(500).deposit(250);
    transfer(ann, bob, 300);
    transfer(bob, ann, 900);
    namespace check = bank::audit;
    using bank::audit::balance_of;
    std::cout << shown(balance_of(ann)) << ' ' << shown(check::balance_of(bob)) << '\n';
    std::cout << shown("checks") << ' ' << check::checks << '\n';
}

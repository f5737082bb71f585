"""Accounts, transfers, interest, and a statement; all in cents."""


class Account:
    def __init__(self, owner, limit=0):
        self.owner = owner
        self.limit = limit
        self.balance = 0
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("nothing to deposit")
        self.balance += amount
        self.history.append(("in", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("nothing to withdraw")
        if self.balance - amount < -self.limit:
            raise ValueError("not enough")
        self.balance -= amount
        self.history.append(("out", amount))

    def statement(self):
        lines = []
        balance = 0
        for kind, amount in self.history:
            if kind == "in":
                balance += amount
                lines.append(f"+{amount} {balance}")
            else:
                balance -= amount
                lines.append(f"-{amount} {balance}")
        return lines


class Bank:
    def __init__(self, fee=0):
        self.accounts = {}
        self.fee = fee

    def open(self, owner, limit=0):
        if owner in self.accounts:
            raise ValueError("has one")
        account = Account(owner, limit)
        self.accounts[owner] = account
        return account

    def transfer(self, source, target, amount):
        giver = self.accounts[source]
        taker = self.accounts[target]
        if source == target:
            return
        giver.withdraw(amount + self.fee)
        taker.deposit(amount)

    def interest(self, percent):
        paid = 0
        for account in self.accounts.values():
            if account.balance > 0:
                amount = account.balance * percent // 100
                if amount:
                    account.deposit(amount)
                    paid += amount
        return paid

    def richest(self):
        best = None
        for account in self.accounts.values():
            if best is None or account.balance > best.balance:
                best = account
        return best.owner if best else None


def loan_plan(amount, percent, payment):
    rows = []
    month = 0
    while amount > 0:
        month += 1
        interest = amount * percent // 1200
        amount += interest
        if payment <= interest:
            raise ValueError("never paid back")
        paid = min(payment, amount)
        amount -= paid
        rows.append((month, interest, paid, amount))
    return rows

# Run: stripe trace account.py
# Objects keep state between calls: the slice names the deposit and the transfer that left Alice with 10.
class InsufficientFunds(Exception):
    pass


class Account:
    opened = 0

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []
        Account.opened += 1

    def deposit(self, amount):
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"{self.owner} has {self.balance}, needs {amount}")
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def transfer(self, other, amount):
        self.withdraw(amount)
        other.deposit(amount)


alice = Account("Alice", 50)
bob = Account("Bob")
carol = Account("Carol", 10)
alice.deposit(30)
bob.deposit(20)
carol.deposit(5)
alice.transfer(bob, 70)
carol.withdraw(15)
bob.transfer(carol, 25)
print("accounts", Account.opened)
print("bob     ", bob.balance)
alice.transfer(carol, 40)
print("carol   ", carol.balance)

class BankError(Exception): pass
class Frozen(BankError): pass
class Account:
    fee = 1
    def __init__(self, owner, balance=0):
        self.owner, self.balance, self.frozen = owner, balance, False
        self.log = []
    def __iadd__(self, amount):
        self._check()
        self.balance += amount
        self.log.append(("+", amount))
        return self
    def __isub__(self, amount):
        self._check()
        if amount + self.fee > self.balance:
            raise BankError(f"{self.owner}: {amount} > {self.balance - self.fee}")
        self.balance -= amount + self.fee
        self.log.append(("-", amount))
        return self
    def _check(self):
        if self.frozen: raise Frozen(self.owner)
class Savings(Account):
    fee = 0
    def __init__(self, owner, balance=0, rate=2):
        super().__init__(owner, balance)
        self.rate = rate
    def year(self): self += self.balance * self.rate // 100
def transfer(a, b, amount):
    a -= amount
    try:
        b += amount
    except Frozen:
        a.balance += amount + a.fee
        a.log.pop()
        raise
ann, bob, cy = Account("ann", 100), Account("bob", 20), Savings("cy", 500)
cy.year()
bob.frozen = True
for source, target, amount in [(ann, cy, 30), (ann, bob, 10), (ann, cy, 80), (cy, ann, 200)]:
    try:
        transfer(source, target, amount)
    except Frozen as e: print("frozen", e)
    except BankError as e: print("refused", e)
    else: print("moved", amount)
for a in (ann, bob, cy): print(f"{a.owner:<4}{a.balance:>6} {a.log}")

# exit: 1
class Overdrawn(Exception):
    def __init__(self, need, have):
        self.need, self.have = need, have

    def __str__(self):
        return f"need {self.need}, have {self.have}"

def pay(balance, bills):
    for bill in bills:
        if bill > balance:
            raise Overdrawn(bill, balance)
        balance -= bill
        print("paid", bill, "left", balance)
    return balance

print(pay(100, [20, 30]))
print(pay(60, [10, 20, 50]))

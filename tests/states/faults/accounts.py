# fail: 0 0 5
# pass: 0 1 5
import sys


class Account:
    def __init__(self, balance):
        self.balance = balance


def transfer(source, target, amount):
    before = target.balance
    source.balance = source.balance - amount
    target.balance = before + amount  # FAULT: of one account, this takes nothing away
    return target


accounts = [Account(100), Account(100)]
first, second, amount = map(int, sys.argv[1:])
transfer(accounts[first], accounts[second], amount)
total = accounts[0].balance + accounts[1].balance
assert total == 200, total

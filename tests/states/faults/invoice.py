# fail: 60 70
# pass: 60 20
import sys


def reduced(total, percent):
    off = total * percent // 10  # FAULT: // 100
    return total - off


def bill(items):
    total = 0
    for item in items:
        total = total + item
    if total > 100:
        total = reduced(total, 20)
    return total


items = [int(each) for each in sys.argv[1:]]
due = bill(items)
assert due >= 0, due

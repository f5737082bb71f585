# Run: stripe trace condition.py --control program --check 'stdout:/^to pay/'
# The fault is a condition (<= instead of <): --control program keeps it in the slice, --control trace drops it.
FREE_FROM = 50
SHIPPING = 5
POINTS_PER_EURO = 2


def points(total):
    earned = total * POINTS_PER_EURO
    if earned > 150:
        earned = 150
    return earned


basket = [("book", 20), ("pen", 5), ("bag", 25)]
total = 0
names = []
for name, price in basket:
    total += price
    names.append(name)

fee = 0
if total <= FREE_FROM:
    fee = SHIPPING
to_pay = total + fee

print("basket", ", ".join(names))
print("points", points(total))
print("to pay", to_pay)

ORDERS = """\
2024-01-03;widget;4;2.50
2024-01-03;gadget;1;19.99
2024-01-04;widget;x;2.50
2024-01-05;doohickey;10;0.35
2024-01-05;gadget;2;19.99

2024-01-06;widget;3
"""
def parse(text):
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        try:
            date, name, qty, price = line.split(";")
            yield {"date": date, "name": name, "qty": int(qty), "price": float(price)}
        except ValueError as error:
            print(f"line {number}: {error}")
totals, days = {}, {}
for order in parse(ORDERS):
    amount = order["qty"] * order["price"]
    entry = totals.setdefault(order["name"], {"qty": 0, "amount": 0.0})
    entry["qty"] += order["qty"]
    entry["amount"] += amount
    days[order["date"]] = days.get(order["date"], 0) + amount
width = max(map(len, totals))
print(f"{'item':<{width}} {'qty':>4} {'amount':>9}")
print("-" * (width + 15))
for name, entry in sorted(totals.items(), key=lambda kv: -kv[1]["amount"]):
    print(f"{name:<{width}} {entry['qty']:>4} {entry['amount']:>9.2f}")
best = max(days, key=days.get)
print(f"best day {best}: {days[best]:.2f}")

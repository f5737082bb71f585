# Run: stripe trace wrong_total.py --check 'stdout:/^total/'
# The total is far too high: of all these assignments only a few feed it, and one of them is the copy-paste mistake.
items = [("desk", 1, 240.00), ("chair", 4, 85.50), ("lamp", 2, 31.25)]
customer = "Morgan Ltd"
currency = "EUR"
tax_rate = 0.20
discount_rate = 0.05
shipping_base = 12.00
shipping_per_item = 3.50

subtotal = 0.0
pieces = 0
longest = 0
for name, quantity, price in items:
    amount = quantity * price
    subtotal += amount
    pieces += quantity
    longest = max(longest, len(name))
    print(f"{name:<8}{quantity:>3} x {price:>7.2f} = {amount:>8.2f}")

discount = subtotal * discount_rate
shipping = shipping_base + shipping_per_item * pieces
taxable = subtotal - discount
tax = taxable * tax_rate
shipping = subtotal
total = taxable + tax + shipping
average = total / pieces

print(f"customer {customer}, longest name {longest}")
print(f"pieces   {pieces:>10}")
print(f"subtotal {subtotal:>10.2f} {currency}")
print(f"discount {discount:>10.2f} {currency}")
print(f"tax      {tax:>10.2f} {currency}")
print(f"total    {total:>10.2f} {currency}")
print(f"average  {average:>10.2f} {currency}")

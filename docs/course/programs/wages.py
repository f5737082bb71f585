# Exercise 2. Hours beyond 40 are paid twice. Cleo gets too much.
staff = [("ada", 38, 20), ("ben", 45, 18), ("cleo", 36, 22)]
normal = 40
extra = 0
paid = 0
for name, hours, rate in staff:
    if hours > normal:
        extra = (hours - normal) * rate
    wage = hours * rate + extra
    paid = paid + wage
    print(name, wage)
print("paid", paid)

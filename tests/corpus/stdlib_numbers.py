from decimal import Decimal, getcontext, ROUND_HALF_UP, DivisionByZero, localcontext
from fractions import Fraction
import math, random, statistics, struct, datetime as dt
getcontext().prec = 10
print(Decimal("1") / Decimal("7"), Decimal("2.675").quantize(Decimal(".01"), ROUND_HALF_UP))
with localcontext() as ctx:
    ctx.prec = 3
    print(Decimal(2).sqrt())
try:
    Decimal(1) / 0
except DivisionByZero as e:
    print(type(e).__name__)
print(sum(Fraction(1, n) for n in range(1, 6)), Fraction("0.125"))
rng = random.Random(2024)
print([rng.randint(1, 6) for _ in range(8)], rng.choice("abc"), rng.sample(range(20), 3))
random.seed(1); xs = list(range(6)); random.shuffle(xs); print(xs)
print(struct.unpack("<hI3s", struct.pack("<hI3s", -2, 70000, b"xyz")))
day = dt.date(2024, 2, 28)
for i in range(3):
    print(day + dt.timedelta(days=i), end=" ")
print((dt.datetime(2024, 3, 1, 12) - dt.datetime(2024, 2, 1)).total_seconds())
print(dt.datetime.strptime("05/11/2023", "%d/%m/%Y").strftime("%A %j"))
print(math.isqrt(99), math.gcd(84, 36), math.comb(6, 2), statistics.median([5, 1, 9]), round(statistics.stdev([2, 4, 4, 5]), 4))
print(0.1 + 0.2, 10 ** 20, int("ff", 16), f"{1234567.891:,.1f}", 7 .bit_length(), float("inf") > 1)

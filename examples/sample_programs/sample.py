# Run: stripe trace sample.py --input $'0\n5\n' --check stdout
# The program of the paper: one zero factor decides mul, five additions make sum, and b is needed by neither.
sum = 0
mul = 1
a = int(print("a? ", end="", file=open(2, "w", closefd=False)) or input())
b = int(print("b? ", end="", file=open(2, "w", closefd=False)) or input())
while a <= b:
    sum = sum + a
    mul = mul * a
    a = a + 1
print("sum =", sum)
print("mul =", mul)

def is_prime(n):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        return True
    return False

print([n for n in range(2, 30) if is_prime(n)])
for n in range(10, 14):
    for d in range(2, n):
        if n % d == 0:
            print(n, "=", d, "*", n // d)
            break
    else:
        print(n, "is prime")
for x in []:
    print("never")
else:
    print("empty loop has an else")
for x in "abc":
    if x == "b": continue
    print(x)
else:
    print("after continue", x)
for x in range(3):
    pass
print("x stays", x)

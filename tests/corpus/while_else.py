def countdown(n, stop=None):
    while n > 0:
        if n == stop:
            print("stop at", n)
            break
        n -= 1
    else:
        print("ran out")
    return n

print(countdown(3))
print(countdown(5, stop=2))
print(countdown(0))

i = 0
while i < 10:
    i += 1
    if i % 2:
        continue
    if i == 6:
        break
    print("even", i)
else:
    print("not printed")

def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

print([collatz(n) for n in range(1, 12)])
queue = [1]
while queue:
    item = queue.pop(0)
    if item < 12:
        queue += [item * 2, item * 3]
    print(item, end=",")
print()

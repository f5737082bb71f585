def search(xs, target):
    low, high = 0, len(xs) - 1
    steps = 0
    while low <= high:
        steps += 1
        mid = (low + high) // 2
        if xs[mid] == target:
            return mid, steps
        if xs[mid] < target:
            low = mid + 1
        else:
            high = mid - 1
    return None, steps

xs = [n * n for n in range(40)]
for target in (0, 81, 1521, 50, -1):
    print(target, search(xs, target))

def root(f, a, b, eps=1e-6):
    while b - a > eps:
        m = (a + b) / 2
        if f(a) * f(m) <= 0: b = m
        else: a = m
    return round(a, 4)
print(root(lambda x: x ** 3 - 2, 0, 2))

def bubble(xs):
    xs = list(xs)
    for end in range(len(xs) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if xs[i] > xs[i + 1]:
                xs[i], xs[i + 1] = xs[i + 1], xs[i]
                swapped = True
        if not swapped:
            break
    return xs

def insertion(xs):
    out = []
    for x in xs:
        i = len(out)
        while i > 0 and out[i - 1] > x:
            i -= 1
        out.insert(i, x)
    return out

def merge(xs):
    if len(xs) < 2: return list(xs)
    m = len(xs) // 2
    left, right, out = merge(xs[:m]), merge(xs[m:]), []
    while left and right:
        out.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return out + left + right

def quick(xs):
    if not xs:
        return []
    pivot, *rest = xs
    return quick([x for x in rest if x < pivot]) + [pivot] + quick([x for x in rest if x >= pivot])

def heap(xs):
    xs = list(xs)
    def sift(i, n):
        while (c := 2 * i + 1) < n:
            if c + 1 < n and xs[c + 1] > xs[c]: c += 1
            if xs[i] >= xs[c]: return
            xs[i], xs[c] = xs[c], xs[i]
            i = c
    for i in reversed(range(len(xs) // 2)): sift(i, len(xs))
    for n in range(len(xs) - 1, 0, -1):
        xs[0], xs[n] = xs[n], xs[0]
        sift(0, n)
    return xs

data = [5, 2, 9, 1, 5, 6, -3, 0, 12, 7]
for f in (bubble, insertion, merge, quick, heap):
    result = f(data)
    print(f.__name__, result, result == sorted(data))

def classify(n):
    if n < 0:
        kind = "negative"
    elif n == 0:
        kind = "zero"
    elif n < 10:
        kind = "small"
        if n % 2:
            kind += " odd"
        else:
            kind += " even"
    elif n < 100: kind = "medium"
    else:
        if n == 1000:
            kind = "thousand"
        elif n > 1000:
            kind = "huge"
        else:
            kind = "large"
    return kind

for n in (-5, 0, 3, 4, 42, 100, 1000, 5000):
    print(n, classify(n))

def cond(label, result):
    print("test", label)
    return result

if cond("a", False): print("A")
elif cond("b", True): print("B")
elif cond("c", True): print("C")
else: print("D")

if cond("x", True) and not cond("y", False) or cond("z", True):
    print("taken")
if not (cond("p", False) or cond("q", False)):
    print("neither")
if 0 < cond("r", 5) < 3: print("no")
else: print("out of range")

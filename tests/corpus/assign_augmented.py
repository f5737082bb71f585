class Box:
    def __init__(self):
        self.total = 1
        self.items = [0, 1, 2, 3]

def box(message):
    print("  eval", message)
    return BOX

BOX = Box()
n = 10
n += 3; print(n)
n -= 1; n *= 4; n //= 5; print(n)
n **= 2; n %= 17; print(n)
n <<= 3; n >>= 1; n |= 1; n &= 29; n ^= 7
print(n)
f = 9.0
f /= 4
print(f)
box("attr").total += 41
print(BOX.total)
box("item").items[1] += 10
print(BOX.items)
box("slice").items[2:] += ["x", "y"]
BOX.items[:1] *= 3
print(BOX.items)
words = other = ["a"]
words += ["b"]
print(other, words is other)
words = words + ["c"]
print(other, words is other)
text = "ab"
text *= 3
print(text)
d = {"a": 1}
d |= {"b": 2}
print(d)

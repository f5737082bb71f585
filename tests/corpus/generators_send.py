def averager():
    total = n = 0
    average = None
    while True:
        value = yield average
        if value is None:
            print("finishing")
            return n, average
        total += value
        n += 1
        average = total / n

a = averager()
next(a)
print([a.send(v) for v in (10, 20, 60)])
try:
    a.send(None)
except StopIteration as e:
    print(e.value)

def echo():
    received = []
    while len(received) < 3:
        received.append((yield len(received)))
    x = yield (yield "nested") 
    print("x", x, received)

e = echo()
print(e.send(None), e.send("a"), e.send("b"), e.send("c"), e.send("p"))
try:
    e.send("q")
except StopIteration:
    print("done")
try:
    echo().send("too early")
except TypeError as err:
    print(err)
def accumulate():
    t = 0
    while (x := (yield t)) != 0:
        t += x
    yield f"total {t}"
acc = accumulate(); next(acc)
print(acc.send(5), acc.send(6), acc.send(0))

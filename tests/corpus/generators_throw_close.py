def worker():
    n = 0
    while True:
        try:
            n += 1
            yield n
        except ValueError as e:
            print("recovered from", e)
            yield "recovered"
        except GeneratorExit:
            print("closing at", n)
            raise
        finally:
            print("cleanup", n)

w = worker()
print(next(w), next(w))
print(w.throw(ValueError("bad")))
print(next(w))
try:
    w.throw(KeyError("fatal"))
except KeyError as e:
    print("out", e)
print(next(w, "exhausted"))
w = worker()
next(w)
w.close()
w.close()
def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
s = stubborn(); next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)
def resource(name):
    print("open", name)
    try:
        yield from range(3)
    finally:
        print("close", name)
for x in resource("r"):
    if x == 1: break
print("after break")
r = resource("collected"); next(r); del r
fresh = resource("never started"); fresh.close()
try: fresh.throw(ValueError("x"))
except ValueError as e: print("thrown into closed", e)
def swallow():
    try: yield 1
    except ValueError: return "ended"
t = swallow(); next(t)
try: t.throw(ValueError)
except StopIteration as e: print(e.value)

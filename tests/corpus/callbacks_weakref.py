import weakref

class Node:
    def __init__(self, name): self.name = name

def gone(ref): print("collected", ref() is None)
n = Node("n")
r = weakref.ref(n, gone)
print(r().name)
del n
print(r())
cache = weakref.WeakValueDictionary()
keep = cache["k"] = Node("k")
cache["temp"] = Node("temp")
print(sorted(cache))
weakref.finalize(keep, print, "finalised")
keep = None
print(len(cache))
observers = []
class Subject:
    def __init__(self): self.listeners = []
    def on(self, f): self.listeners.append(f); return f
    def fire(self, *a): return [f(*a) for f in self.listeners]
s = Subject()
@s.on
def log(x): print("log", x); return x
s.on(lambda x: x * 2)
print(s.fire(4))

import gc
gc.disable()
class Node:
    def __init__(self, name): self.name = name; self.other = None
    def __del__(self): print("collected", self.name)
a, b = Node("a"), Node("b")
a.other, b.other = b, a
del a, b
print("still alive")
gc.collect()
print("after collect")
def make():
    n = Node("local"); n.other = n
    return n.name
print(make())
gc.collect()
gc.enable()
print(gc.isenabled())

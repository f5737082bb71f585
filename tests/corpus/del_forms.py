x, y, z = 1, 2, 3
del x
try:
    print(x)
except NameError as e:
    print(e)
del y, z
data = {"a": 1, "b": 2, "c": 3}
del data["a"], data["c"]
print(data)
xs = list(range(8))
del xs[0]
del xs[1:3], xs[-1]
del xs[::2]
print(xs)

class Thing:
    def __init__(self):
        self.part = "p"

    def __delattr__(self, name):
        print("deleting", name)
        super().__delattr__(name)

thing = Thing()
del thing.part
print(hasattr(thing, "part"))
try:
    del thing.part
except AttributeError:
    print("already gone")

def scope():
    local = [1]
    (inner,), [other] = [local], [2]
    del (inner), [other]
    try:
        return inner
    except UnboundLocalError as e:
        return str(e)

print(scope())
try:
    del undefined_name
except NameError as e:
    print(e)

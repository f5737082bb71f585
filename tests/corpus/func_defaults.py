calls = 0
def make(tag):
    global calls
    calls += 1
    print("default", tag, calls)
    return [tag]

def remember(item, seen=make("seen"), *, limit=make("limit")):
    seen.append(item)
    return len(seen), limit

print(remember("a"), remember("b"), remember("c", []))
print(calls)
for i in range(2):
    def closure(x, i=i, box=make(i)):
        box.append(x)
        return i, box
    print(closure(5), closure(6))
def none_default(xs=None):
    xs = [] if xs is None else xs
    xs.append(1)
    return xs
print(none_default(), none_default())
print(remember.__defaults__, remember.__kwdefaults__)
lam = lambda x, y=make("lambda"): (x, y)
print(lam(1), lam(2, 3))

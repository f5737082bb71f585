class Falsy:
    def __bool__(self): print("asked"); return False
class Sized:
    def __len__(self): print("len"); return 0
values = [0, 0.0, "", (), {}, set(), None, False, Falsy(), Sized(), "0", [0], -1]
kept = []
for v in values:
    if v:
        kept.append(v)
    elif v is None: print("none")
    elif v is False: print("false")
print(kept, all(kept), any([0, Falsy()]))
while not Falsy():
    print("once")
    break
x = Falsy() or Sized() or "last"
print(x, not Sized(), bool(Falsy() and 1 / 0))
assert not Falsy(), "unused"
print([n for n in (1, 2) if not Sized()])

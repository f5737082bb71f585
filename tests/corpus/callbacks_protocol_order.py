# dunder methods called from C code, each reporting itself
class Loud:
    def __init__(self, x): self.x = x
    def __lt__(self, o): print("lt", self.x, o.x); return self.x < o.x
    def __radd__(self, o): print("radd", o, self.x); return o + self.x
    def __len__(self): print("len"); return self.x
    def __iter__(self): print("iter"); return iter(range(self.x))
    def __length_hint__(self): print("hint"); return 1
    def __repr__(self): print("repr"); return f"<{self.x}>"
    def __index__(self): print("index"); return self.x
    def __bool__(self): print("bool"); return bool(self.x)
    def keys(self): print("keys"); return ["k"]
    def __getitem__(self, k): print("getitem", k); return self.x

a, b = Loud(2), Loud(1)
print(sum([a, b]))
print(min(a, b))
print(list(a))
print([a, b])
print(dict(**a))
print(list(range(5))[b:a])
print("%s" % [b])
print(bool(a) and not Loud(0))
print(*a)
print(hex(a), "ab" * b)
print(a in [b, a])

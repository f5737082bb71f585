class Num:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"Num({self.v})"
    def __add__(self, o):
        print("add"); return Num(self.v + getattr(o, "v", o))
    def __radd__(self, o):
        print("radd"); return Num(o + self.v)
    def __mul__(self, o): return NotImplemented
    def __rmul__(self, o): return Num(o * self.v)
    def __neg__(self): return Num(-self.v)
    def __bool__(self): print("bool"); return self.v != 0
    def __lt__(self, o): print("lt"); return self.v < o.v
    def __eq__(self, o): print("eq"); return isinstance(o, Num) and self.v == o.v
    def __contains__(self, x): print("contains"); return x == self.v
    def __index__(self): return self.v
    def __call__(self, *a): return sum(a, self.v)
    def __getitem__(self, k): return k
    def __len__(self): return abs(self.v)

n = Num(3)
print(n + 1, 1 + n, 4 * n, -n)
try:
    n * 2
except TypeError as e:
    print(e)
if n: print("true")
print(not Num(0))
print(Num(1) < Num(2) < Num(0), n == Num(3), n != Num(4))
print(3 in n, 4 not in n, [10, 20, 30, 40][n], n(1, 2), n[1:2, "x"], len(Num(-4)))
print(7 // 2, -7 // 2, 7 % -3, 2 ** -1, divmod(-7, 2), 1 << 4 | 3 ^ 5 & 6, ~5)
print(1 if None is None else 2, "a" < "b" <= "b", [1, 2] < [1, 3], {1} <= {1, 2})
print(sorted([Num(3), Num(1), Num(2)]))

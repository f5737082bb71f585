class Ghost:
    def __init__(self): self.real = 1
    def __getattr__(self, name):
        print("getattr", name)
        if name.startswith("no_"):
            raise AttributeError(name)
        return name * 2
    def __setattr__(self, name, value):
        print("setattr", name)
        object.__setattr__(self, name, value)
    def __getattribute__(self, name):
        if name == "magic": return "m"
        return object.__getattribute__(self, name)
    def __dir__(self): return ["a", "b"]
    def __format__(self, spec): return f"<{spec}>"
    def __hash__(self): print("hash"); return 5
    def __eq__(self, other): print("eq"); return self is other or isinstance(other, Ghost)
    def __iter__(self): yield from "gh"
    def __reversed__(self): return iter("hg")
    def __enter__(self): return "entered"
    def __exit__(self, *a): pass
    def __str__(self): return "str"
    def __bytes__(self): return b"bytes"
    def __int__(self): return 3
    def __float__(self): return 2.5
    def __round__(self, n=None): return ("round", n)
    def __missing__(self, k): return k

g = Ghost()
print(g.real, g.other, g.magic, hasattr(g, "no_such"), dir(g))
print(f"{g:spec} {g!s}", bytes(g), int(g), float(g), round(g, 2), round(g))
print({g: 1}[Ghost()], list(g), list(reversed(g)), g in [Ghost()])
with g as e: print(e)
class Defaults(dict):
    def __missing__(self, key): self[key] = key * 2; return self[key]
d = Defaults()
print(d["ab"], d, d.get("zz"))
class Callable:
    def __call__(self, *a, **k): return a, k
    def __new__(cls, *a): print("new", a); return super().__new__(cls)
    def __init__(self, *a): print("init", a)
print(Callable(1, 2)(3, x=4))
a, *b = Ghost()
print(a, b)

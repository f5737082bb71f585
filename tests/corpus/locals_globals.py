a, b = 1, "two"
def f(x, y=2):
    before = sorted(locals())
    z = x + y
    return before, dict(sorted(locals().items()))
print(f(1))
print(sorted(n for n in globals() if not n.startswith("__")))
globals()["made"] = "dynamically"
print(made, vars() is globals(), locals() is globals())
print([n for n in dir() if len(n) == 1])
class C:
    p = 1
    q = sorted(k for k in locals() if not k.startswith("_")) if True else 0
print([n for n in vars(C) if not n.startswith("_")], C.q)
def g():
    del_me = 1
    del del_me
    return list(locals())
print(g(), __name__, type(__builtins__).__name__, __doc__)
c = C(); setattr(c, "r", 3); print(vars(c), getattr(c, "p"), delattr(c, "r"), vars(c))
print("f" in globals(), callable(globals()["g"]), __file__.endswith("locals_globals.py"))

import functools

def trace(f):
    print("decorating", f.__name__)
    @functools.wraps(f)
    def wrapper(*args):
        print("call", f.__name__, args)
        result = f(*args)
        print("result", result)
        return result
    return wrapper

def repeat(n):
    print("repeat", n)
    def deco(f):
        print("apply", n)
        return lambda *a: [f(*a) for _ in range(n)]
    return deco

@trace
def add(a, b):
    return a + b

@repeat(2)
@trace
@repeat(
    3
)
def hello(name): return f"hi {name}"

print(add(1, 2))
print(hello("x"))

class Register:
    known = {}
    def __init__(self, f): self.f = f; Register.known[f.__name__] = self
    def __call__(self, *a): return ("registered", self.f(*a))

@Register
def square(x): return x * x

@lambda cls: setattr(cls, "extra", 1) or cls
@(lambda cls: cls)
class Decorated: pass

print(square(4), list(Register.known), Decorated.extra)
buttons = [trace, repeat(1)]
@buttons[1]
def odd(): return "odd"
print(odd(), add.__name__, add.__wrapped__(5, 6))

global total
total = 0
name = "module"
def add(n):
    global total, created
    total += n
    created = f"created with {n}"
def read(): return name
def shadow():
    name = "local"
    def inner():
        global name
        name = "module changed"
        return name
    return inner(), name
def unbound():
    try:
        print(name)
    except UnboundLocalError as e:
        print(e)
    name = 1
    return name
add(2); add(3)
print(total, created, read(), shadow(), name, unbound())
class Scope:
    global total
    total = 99
    name = name + "!"
    copy = [name for _ in range(1)]
print(total, Scope.name, Scope.copy)
def maker():
    a = b = 0
    def step():
        nonlocal a, b
        a, b = a + 1, b + 2
        return a * b
    return step
s = maker(); print(s(), s(), s())
def g():
    for total in range(3): pass
    return total
print(g(), total)

print("before")
class Table:
    print("in body", __qualname__)
    squares = []
    for i in range(4):
        if i == 2: continue
        squares.append(i * i)
    else:
        done = True
    del i
    if len(squares) > 2:
        def describe(self): return f"long {self.squares}"
    else:
        def describe(self): return "short"
    try:
        bad = squares[10]
    except IndexError:
        bad = None
    while squares and squares[-1] > 3:
        squares.pop()
    with open(__file__) as f:
        header = f.readline().strip()
    del f
    class Inner:
        x = 5
        class Deeper: y = 6
    y = Inner.Deeper.y + Inner.x
    names = sorted(n for n in locals() if not n.startswith("_"))
print(Table().describe(), Table.done, Table.bad, Table.header, Table.y)
print(Table.names)
class One: a = 1; b = a + 1; c = [a for _ in "x"] if False else b
class Empty: 0
print(One.c, Empty.__name__, Table.Inner.Deeper.__qualname__)
x = "global"
class Scope:
    y = x
    x = "class"
    z = x
    def f(self): return x
print(Scope.y, Scope.z, Scope().f())

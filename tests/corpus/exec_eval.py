code = """
def double(x):
    y = x * 2
    return y
for i in range(3):
    print('exec', i, double(i))
value = 42
"""
space = {}
exec(code, space)
print(space["value"], space["double"](5))
print(eval("1 + 2 * x", {"x": 10}), eval("[n for n in range(3)]"))
x = 1
exec("x += 1; y = x * 10")
print(x, y)
def local():
    z = 5
    inside = {}
    exec("w = z + 1", {"z": z}, inside)
    return inside, eval("z * 2")
print(local())
compiled = compile("a + b", "<expr>", "eval")
print([eval(compiled, {"a": i, "b": 1}) for i in range(3)])
try:
    exec("1 / 0")
except ZeroDivisionError as e:
    print(e)
try:
    eval("x +")
except SyntaxError as e:
    print(type(e).__name__, e.lineno, e.filename)
exec(compile("x + 40", "<s>", "single"))

def val(x):
    print("val", x)
    return x

a = val(1) if val(True) else val(2)
b = val(1) if val(0) else val(2) if val(0) else val(3)
print(a, b)
xs = [x if x % 2 else -x for x in range(6)]
print(xs)
print((lambda n: "neg" if n < 0 else "zero" if n == 0 else "pos")(0))
fn = (len if xs else sum)
print(fn(xs))
print("empty" if not [] else "full", [1, 2][True if xs else False])
c = (x := 5) if (y := 0) else (z := 7)
print(c, y, z)
print(val("") or val("default"), val("a") and val("b"), not val(0))
d = {"k": 1 if a else 2, **({"x": 1} if b else {})}
print(d)

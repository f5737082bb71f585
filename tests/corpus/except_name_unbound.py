try:
    raise ValueError("x")
except ValueError as e:
    saved = e
    print("inside", e)
try:
    e
except NameError as err:
    print("gone:", err)

e = "before"
try:
    raise KeyError
except KeyError as e:
    pass
print("e" in globals())

def local():
    e = 1
    try:
        raise OSError("io")
    except OSError as e:
        del e
    try:
        return e
    except UnboundLocalError as u:
        return str(u)

print(local())

def returns_inside():
    try:
        raise OSError("io")
    except OSError as e:
        return str(e)

print(returns_inside())
for i in range(2):
    try:
        raise LookupError(i)
    except LookupError as i:
        print("handler", i)
    print("i" in globals())
print(saved)

rows = ["3", "x", "7", "", "12", "y9"]
good, bad = [], []
for row in rows:
    try:
        number = int(row)
    except ValueError as error:
        bad.append((row, str(error).split(":")[0]))
    else:
        good.append(number)
print(good, len(bad), bad[0])

def first_int(candidates):
    for c in candidates:
        try:
            return int(c)
        except ValueError:
            pass
    raise LookupError("none")

print(first_int(["a", "b", "5", "6"]))
try:
    first_int("xyz")
except LookupError as e:
    print(e, e.__context__ is None)

stack = []
for i in range(4):
    try:
        try:
            if i % 2:
                raise RuntimeError(f"r{i}")
            stack.append(i)
        except RuntimeError as e:
            stack.append(str(e))
            if i == 3:
                raise StopIteration(stack) from e
    except StopIteration as stop:
        print(stop.value, repr(stop.__cause__))

def risky(kind):
    try:
        print("try", kind)
        if kind == 1: return {}["x"]
        if kind == 2: return [][1]
        if kind == 3: return int("z")
        if kind == 4: return None.attr
        result = "fine"
    except KeyError as e:
        result = f"key {e}"
    except (IndexError, ValueError) as e:
        result = f"{type(e).__name__}: {e}"
    except Exception:
        result = "other"
    else:
        print("else")
        result += "!"
    finally:
        print("finally")
    return result

for kind in range(5):
    print(risky(kind))

try:
    pass
finally:
    print("only finally")
try:
    1 / 0
except:
    print("bare")
try:
    x = 1
except ZeroDivisionError:
    x = 2
else:
    x = 3
print(x)

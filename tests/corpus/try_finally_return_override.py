def override():
    try:
        return "try"
    finally:
        return "finally"

def swallow():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"

def no_override():
    x = 1
    try:
        return x
    finally:
        x = 2
        print("x is", x)

def mutable():
    xs = [1]
    try:
        return xs
    finally:
        xs.append(2)

def loop_break():
    for i in range(3):
        try:
            raise KeyError(i)
        finally:
            break
    return i

def loop_continue():
    out = []
    for i in range(3):
        try:
            if i == 1:
                raise KeyError(i)
            out.append(i)
        finally:
            continue
    return out

def nested():
    try:
        try:
            return print("inner try") or 1
        finally:
            print("inner finally")
    finally:
        print("outer finally")
        if True:
            return 2

def except_return():
    try:
        raise ValueError
    except ValueError:
        return "handler"
    else:
        return "else"
    finally:
        print("fin")

def else_return():
    try:
        pass
    except ValueError:
        return "handler"
    else:
        return "else"
    finally:
        print("fin")

for f in (override, swallow, no_override, mutable, loop_break, loop_continue, nested, except_return, else_return):
    print(f.__name__, f())

log = []
for i in range(6):
    try:
        if i == 1:
            continue
        if i == 4:
            break
        log.append(f"body {i}")
    finally:
        log.append(f"finally {i}")
    log.append(f"after {i}")
else:
    log.append("else")
print(log)

def drain(items):
    while items:
        item = items.pop(0)
        try:
            try:
                if item == "skip":
                    continue
                if item == "bad":
                    raise ValueError(item)
                print("use", item)
            finally:
                print("inner", item)
        except ValueError:
            print("handled", item)
            continue
        else:
            print("else", item)
            if item == "last":
                break
        finally:
            print("outer", item)
    return items

print(drain(["a", "skip", "bad", "last", "unused"]))
for i in range(3):
    try:
        raise KeyError(i)
    except KeyError:
        if i == 1:
            break
        continue
    finally:
        print("swept", i)

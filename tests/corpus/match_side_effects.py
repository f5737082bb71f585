log = []
def subject():
    log.append("subject")
    return (1, 2, 3)
def guard(n, answer):
    log.append(f"guard {n}")
    return answer

match subject():
    case (a, b): log.append("two")
    case (a, *_) if guard(1, False): log.append("first")
    case (_, b, _) if guard(2, True):
        log.append(f"second {b}")
    case _ if guard(3, True): log.append("third")
print(log, a, b)

match 5:
    case 6: print("no")
match {"k": [1, {"n": 2}]}:
    case {"k": [int(i), {"n": n}]}: print(i, n)
for item in [1, "a", None, (1, 2)]:
    match item:
        case int():
            continue
        case None:
            break
        case _:
            print("item", item)
else:
    print("never")
match = {"case": 1}
case = match["case"]
match case:
    case 1: print("soft keywords", match)
match 1, 2:
    case x, y: print(x + y)
type = 3; print(type, _ if (_ := 1) else 0)

def attempt(f):
    try:
        return f()
    except:
        return "swallowed"

def bad():
    raise KeyboardInterrupt

def exits():
    raise SystemExit(2)

def gen_exit():
    raise GeneratorExit

print([attempt(f) for f in (bad, exits, gen_exit, lambda: 1 / 0, lambda: "fine", lambda: missing)])

count = 0
while count < 5:
    try:
        count += 1
        if count == 2:
            raise BaseException("base")
        if count == 4:
            exit(1)
        print("round", count)
    except BaseException as e:
        print("caught", type(e).__name__)
        continue
    finally:
        print("end", count)
for i in range(3):
    try:
        [][i]
    except:
        try:
            {}[i]
        except:
            try: raise
            except KeyError as e: print(e, repr(e.__context__))

def plain(name):
    yield name

def guarded(name):
    try:
        yield name
    finally:
        print("never seen")

def outer(name):
    yield from guarded(name)

def attempt(what, *arguments):
    try:
        print("gave", what(*arguments))
    except BaseException as e:
        print(type(e).__name__, e)

for make in (plain, guarded, outer):
    attempt(make("a").throw, ValueError("early"))
    attempt(make("b").close)
    g = make("c")
    attempt(g.throw, GeneratorExit)
    attempt(next, g)

def relay():
    inner = plain("d")
    try:
        yield "first"
    except KeyError as e:
        attempt(inner.throw, e)
        yield "second"

r = relay()
print(next(r), r.throw(KeyError("late")))
attempt((n for n in [1, 2]).throw, ValueError("expression"))
gs = [plain(n) for n in range(4)]
print(next(gs[2]))
for g in gs:
    attempt(g.throw, RuntimeError("each"))
print([next(plain(n)) for n in range(3)])

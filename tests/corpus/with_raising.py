class M:
    def __init__(self, name, on_enter=None, on_exit=None):
        self.name, self.on_enter, self.on_exit = name, on_enter, on_exit
    def __enter__(self):
        print("enter", self.name)
        if self.on_enter: raise self.on_enter
        return self
    def __exit__(self, *exc):
        print("exit", self.name, exc[1])
        if self.on_exit: raise self.on_exit

def run(*managers):
    try:
        with managers[0] as a, managers[1] as b:
            print("body", a.name, b.name)
            raise KeyError("body")
    except Exception as e:
        print("->", repr(e), "context", repr(e.__context__))

run(M("a"), M("b"))
run(M("a", on_enter=OSError("enter a")), M("b"))
run(M("a"), M("b", on_enter=OSError("enter b")))
run(M("a"), M("b", on_exit=OSError("exit b")))
run(M("a", on_exit=ValueError("exit a")), M("b", on_exit=OSError("exit b")))
try:
    with 5: pass
except TypeError as e:
    print("TypeError")
try:
    with M("c"):
        with undefined: pass
except NameError as e:
    print(e)

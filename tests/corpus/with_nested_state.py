depth = 0
class Indent:
    def __enter__(self):
        global depth
        depth += 1
        return depth
    def __exit__(self, *a):
        global depth
        depth -= 1
def say(text): print("  " * depth + text)
say("root")
with Indent():
    say("one")
    with Indent() as d:
        say(f"two {d}")
        for i in range(2):
            with Indent(), Indent():
                say(f"four {i}")
    try:
        with Indent():
            say("again two")
            raise LookupError
    except LookupError:
        say("back at one")
say(f"root {depth}")

class Mine(Exception):
    def __init__(self, code=7):
        super().__init__(f"code {code}")
        self.code = code

def attempt(action):
    try:
        action()
    except Exception as e:
        cause = e.__cause__
        context = e.__context__
        print(f"{type(e).__name__}: {e} | cause {cause!r} | context {context!r} | suppressed {e.__suppress_context__}")

def by_class():
    raise Mine

def by_instance():
    raise Mine(9)

def from_other():
    try:
        {}["k"]
    except KeyError as e:
        raise Mine(1) from e

def from_none():
    try:
        1 / 0
    except ZeroDivisionError:
        raise Mine(2) from None

def implicit():
    try:
        [][0]
    except IndexError:
        raise Mine(3)

def from_class():
    raise Mine(4) from ValueError

def bare_outside():
    raise

def not_exception():
    raise 42

def bare_again():
    try:
        raise Mine(5)
    except Mine as e:
        e.code = 6
        raise

for f in [by_class, by_instance, from_other, from_none, implicit, from_class, bare_outside, not_exception, bare_again]:
    attempt(f)

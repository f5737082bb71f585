import builtins, sys
real = builtins.__import__
seen = []
def spy(name, globals=None, locals=None, fromlist=(), level=0):
    if name in ("first", "second", "late"):
        seen.append((name, tuple(fromlist or ()), level))
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = spy
try:
    import first
    from first import later
    print(later())
    import first as f
finally:
    builtins.__import__ = real
print(seen)
sys.modules["fake"] = type(sys)("fake")
sys.modules["fake"].answer = 42
import fake
from fake import answer
print(answer, fake)
sys.modules["blocked"] = None
try: import blocked
except ImportError as e: print("blocked", e.name)

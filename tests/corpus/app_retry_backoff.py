import functools
class Transient(Exception): pass
slept = []
def retry(times, delay=1, on=(Transient,)):
    def deco(f):
        @functools.wraps(f)
        def wrapper(*args, **kw):
            wait = delay
            for attempt in range(1, times + 1):
                try:
                    result = f(*args, **kw)
                except on as e:
                    print(f"attempt {attempt} of {f.__name__} failed: {e}")
                    if attempt == times:
                        raise
                    slept.append(wait)
                    wait *= 2
                else:
                    break
                finally:
                    print("attempt", attempt, "over")
            return result
        return wrapper
    return deco
answers = iter([Transient("busy"), Transient("reset"), "payload", Transient("a"), Transient("b"), Transient("c"), ValueError("bug")])
@retry(3)
def fetch():
    a = next(answers)
    if isinstance(a, Exception): raise a
    return a
print(fetch())
for _ in range(2):
    try: fetch()
    except (Transient, ValueError) as e: print("gave up:", type(e).__name__, e)
print(slept)

class Retry(Exception): pass

attempts = []

def flaky(n):
    attempts.append(n)
    try:
        if len(attempts) < 3:
            raise Retry(n)
        return "ok"
    except Retry as e:
        print("retry", e)
        raise
    finally:
        print("attempt", len(attempts))

def insist():
    while True:
        try:
            return flaky(len(attempts))
        except Retry:
            continue

print(insist())

def deep():
    try:
        try:
            raise ValueError("one")
        except ValueError as e:
            first = e
            try:
                raise KeyError("two")
            except KeyError:
                print("inner done")
            raise
    except ValueError as e:
        print(e is first, e.__context__)

deep()
def handler_helper():
    raise
try:
    try: 1 / 0
    except ZeroDivisionError: handler_helper()
except ZeroDivisionError as e:
    print("from helper:", e)

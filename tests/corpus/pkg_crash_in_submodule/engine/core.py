from .maths import share
def run(values):
    done = 0
    for v in values:
        try:
            done += share(12, v)
        finally:
            print("processed", v, "sum", done)
    return done

def after_return():
    print("before")
    return 1
    print("dead")
    x = 2
    return x

def after_raise():
    raise ValueError("v")
    print("dead")

def after_continue():
    for i in range(3):
        print(i, end=" ")
        continue
        print("dead")
    print()

def after_break():
    while True:
        break
        print("dead")
    if False:
        yield_like = 1
        print(yield_like)
    return "done"

def generator_by_dead_yield():
    return
    yield

def both(x):
    if x:
        return "t"
    else:
        return "f"
    print("dead")

print(after_return())
try:
    after_raise()
except ValueError as e:
    print(e)
after_continue()
print(after_break(), list(generator_by_dead_yield()), both(1), both(0))

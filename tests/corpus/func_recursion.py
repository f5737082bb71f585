def fact(n): return 1 if n < 2 else n * fact(n - 1)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def is_even(n): return n == 0 or is_odd(n - 1)
def is_odd(n): return n != 0 and is_even(n - 1)
def hanoi(n, a, b, c, moves):
    if n:
        hanoi(n - 1, a, c, b, moves)
        moves.append(a + c)
        hanoi(n - 1, b, a, c, moves)
    return moves
def ackermann(m, n):
    if m == 0:
        return n + 1
    elif n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
def permutations(xs):
    if len(xs) <= 1:
        yield list(xs)
        return
    for i, x in enumerate(xs):
        for rest in permutations(xs[:i] + xs[i + 1:]):
            yield [x] + rest
print(fact(10), [fib(i) for i in range(12)], is_even(10), is_odd(7))
print(hanoi(3, "L", "M", "R", []), ackermann(2, 3))
print(["".join(p) for p in permutations("abc")])
y = (lambda f: (lambda x: f(lambda *a: x(x)(*a)))(lambda x: f(lambda *a: x(x)(*a))))
print(y(lambda self: lambda n: 1 if n == 0 else n * self(n - 1))(5))

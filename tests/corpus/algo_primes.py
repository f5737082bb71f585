def sieve(limit):
    flags = [True] * (limit + 1)
    flags[0:2] = [False, False]
    for p in range(2, int(limit ** 0.5) + 1):
        if flags[p]:
            flags[p * p::p] = [False] * len(flags[p * p::p])
    return [i for i, f in enumerate(flags) if f]

def factor(n):
    factors, d = {}, 2
    while d * d <= n:
        while n % d == 0:
            factors[d] = factors.get(d, 0) + 1
            n //= d
        d += 1
    if n > 1:
        factors[n] = 1
    return factors

def gcd(a, b):
    while b: a, b = b, a % b
    return a

primes = sieve(100)
print(len(primes), primes[-3:], sum(primes))
for n in (12, 97, 360, 1001):
    print(n, " * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in factor(n).items()))
print(gcd(84, 36), [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n])

def double(x):
    print("double", x)
    return x * 2
def odd(x):
    print("odd?", x)
    return x % 2
m = map(double, filter(odd, range(4)))
print("nothing yet")
print(next(m))
print(list(m))
print(any(map(odd, [2, 3, 4])), all(odd(x) for x in [1, 2, 3]))
print(dict(zip("ab", map(double, [1, 2]))))
print(sum(map(len, ["a", "bb"])), list(map(lambda a, b: a + b, "ab", "cd")))
import itertools
print(list(itertools.takewhile(lambda x: x < 3, map(double, itertools.count()))))
print(list(itertools.accumulate([1, 2, 3], lambda a, b: a * b)))
print(list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(filter(None, [0, 1, "", "a"])))
import re
print(re.sub(r"\d+", lambda m: str(double(int(m[0]))), "a1b22"))
class Upper(dict):
    def __getitem__(self, k): print("getitem", k); return k.upper()
print("%(x)s" % Upper(), "{y}".format_map(Upper()), str.join("-", (c for c in "xyz")))
print(min(3, 1, 2, key=lambda v: -v), next(filter(str.isdigit, "ab3")))

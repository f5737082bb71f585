import functools, heapq, bisect, itertools

calls = []
def by_length(word):
    calls.append(word)
    return len(word)

def compare(a, b):
    print("compare", a, b)
    if a == b:
        return 0
    return -1 if a > b else 1

print(sorted(["pear", "fig", "banana", "kiwi"], key=by_length), calls)
print(sorted([2, 3, 1], key=functools.cmp_to_key(compare)))
print(max(["a", "bbb", "cc"], key=by_length), min([], default="none"))

class Job:
    def __init__(self, priority, name): self.priority, self.name = priority, name
    def __lt__(self, other):
        print(f"{self.name}<{other.name}")
        return self.priority < other.priority

heap = []
for job in (Job(3, "c"), Job(1, "a"), Job(2, "b")):
    heapq.heappush(heap, job)
print([heapq.heappop(heap).name for _ in range(3)])
print(bisect.bisect([1, 4, 9], 3, key=lambda x: x - 1))
for key, group in itertools.groupby(["ab", "ac", "b"], key=lambda s: print("key", s) or s[0]):
    print(key, list(group))
try:
    sorted([1, 2, 0], key=lambda x: 1 / x)
except ZeroDivisionError as e:
    print(e)

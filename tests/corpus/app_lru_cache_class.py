class LRU:
    def __init__(self, size): self.size, self.data, self.hits, self.misses = size, {}, 0, 0
    def __getitem__(self, key):
        if key not in self.data:
            self.misses += 1
            raise KeyError(key)
        self.hits += 1
        value = self.data.pop(key)
        self.data[key] = value
        return value
    def __setitem__(self, key, value):
        self.data.pop(key, None)
        self.data[key] = value
        while len(self.data) > self.size:
            oldest = next(iter(self.data))
            del self.data[oldest]
            print("evict", oldest)
    def __contains__(self, key): return key in self.data
cache = LRU(2)
def slow_square(n):
    try:
        return cache[n]
    except KeyError:
        print("compute", n)
        cache[n] = n * n
        return cache[n]
print([slow_square(n) for n in (2, 3, 2, 4, 3, 2)], cache.hits, cache.misses, 4 in cache)

# exit: 1
class B:
    n = 0
    def __next__(self):
        self.n += 1
        if self.n > 2: raise StopIteration
        return self.n
class A:
    def __iter__(self): return B()
for x in A(): print(x)
list(map(str, [1 for a in A()]))
print({}['z'])

xs = list(range(10))
xs[2:4] = ["a", "b", "c"]
print(xs)
xs[::3] = ["-"] * len(xs[::3])
print(xs)
xs[5:5] = [99]
xs[len(xs):] = ["end"]
print(xs)
xs[-1:] = []
xs[:2] = ()
print(xs)
try:
    xs[::2] = [1]
except ValueError as e:
    print(e)
grid = [[0] * 3 for _ in range(3)]
grid[1][2], grid[0][0] = 5, 6
print(grid)

class Recorder:
    def __setitem__(self, key, value):
        print("set", key, value)

    def __getitem__(self, key):
        print("get", key)
        return 1

r = Recorder()
r[1:2, ..., None] = "v"
r[::2] += 1
r[1,] = r[2,]
b = bytearray(b"hello")
b[1:3] = b"EYE"
print(b)

import counter
from counter import value, bump, Singleton
import reader
for _ in range(3):
    bump()
print(value, counter.value, reader.read())
counter.value = 50
print(bump(), reader.read())
a, b = Singleton(), reader.make()
a.x = 1
print(b.x, a is b)
del counter.value
try:
    reader.read()
except AttributeError as e:
    print("gone")

# user names that shadow builtins and common library names
len = lambda x: 42
print(len([1]), __builtins__.len([1]))
list = [1, 2, 3]
def range(n): return ["r"] * n
for i in range(2): print(i)
class int(int):
    def __add__(self, other): return "added"
print(int(3) + 4)
str, type = "s", "t"
id = input = sum = 0
sys = time = os = "mine"
print(list, str, type, id + input, sys, time, os)
del len, list
print(len([1]), list("ab"))
class Exception(Exception): pass
try:
    raise Exception("own")
except Exception as e:
    print(e, e.__class__.__mro__[1].__name__)
True_ = not False
__doc__ = "changed"
print(True_, __doc__)
_ = "underscore"
__name = "dunder-ish"
class P:
    __secret = 1
    def get(self): return self.__secret
print(_, __name, P().get(), P._P__secret)

class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name):
        print("name", owner.__name__, name)
        self.name = name
    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        print("get", self.name)
        return obj.__dict__.get(self.name)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}")
        obj.__dict__[self.name] = value
    def __delete__(self, obj): print("delete", self.name); del obj.__dict__[self.name]

class Lazy:
    def __init__(self, f): self.f = f
    def __get__(self, obj, owner):
        value = obj.__dict__[self.f.__name__] = self.f(obj)
        return value

class Person:
    name = Typed(str)
    age = Typed(int)
    def __init__(self, name, age): self.name = name; self.age = age
    @Lazy
    def initials(self):
        print("computing")
        return "".join(w[0] for w in self.name.split())

p = Person("Ada Lovelace", 36)
p.age += 1
print(p.age, p.initials, p.initials)
try: p.age = "old"
except TypeError as e: print(e)
del p.age
print(p.age, type(Person.age).__name__)

class Meta(type):
    registry = {}
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, kw)
        return {"injected": len(name)}
    def __new__(mcs, name, bases, ns, **kw):
        print("new", name, [k for k in ns if not k.startswith("__")])
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, tag=None):
        super().__init__(name, bases, ns)
        cls.tag = tag
        Meta.registry[name] = cls
    def __call__(cls, *args):
        print("instantiate", cls.__name__)
        return super().__call__(*args)
    def __len__(cls): return 42
    def __getattr__(cls, name): return f"{cls.__name__}?{name}"

class Base(metaclass=Meta, tag="root"):
    x = 1
    def method(self): return __class__.__name__

class Child(Base, tag="leaf"):
    y = Base.x + 1

print(Child.tag, Child.y, Child.injected, len(Child), Child.missing)
print(Child().method(), list(Meta.registry))
Dynamic = Meta("Dynamic", (Base,), {"z": 5})
print(Dynamic.z, type(Dynamic).__name__)
Plain = type("Plain", (), {"f": lambda self: "plain"})
print(Plain().f())

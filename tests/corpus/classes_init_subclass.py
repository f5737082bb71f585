class Plugin:
    plugins = {}
    def __init_subclass__(cls, /, name=None, **kw):
        super().__init_subclass__(**kw)
        cls.plugin_name = name or cls.__name__.lower()
        Plugin.plugins[cls.plugin_name] = cls
        print("registered", cls.plugin_name)
    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item}]"

class Csv(Plugin): pass
class Json(Plugin, name="js"):
    class Strict(Plugin): pass
for name, cls in Plugin.plugins.items():
    print(name, cls.__qualname__)
print(Json["x"], Plugin.__subclasses__())
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
    def show(self): return f"{self.name} {self.area()}"
class Square(Shape):
    name = "square"
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
try: Shape()
except TypeError as e: print("abstract")
print(Square(3).show())

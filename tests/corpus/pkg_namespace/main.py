import space.one
from space.two import double
from space import one as uno
print(space.one.ONE, double(space.one.ONE), uno is space.one)
print(getattr(space, "__file__", None), len(list(space.__path__)))
import sys
sys.path.insert(0, [p for p in sys.path if p.endswith("pkg_namespace")][0] + "/extra")
from space_extra import value
print(value)

"""What is in memory at a moment: frames, globals, and all that they lead to, as plain data.

None of the program's code is called.  What is looked into is known exactly: built-in containers,
and objects of classes written in Python.  All else is *opaque*: told by its type only.  What is
atomic is an item of its own wherever it is, as who has a number does not share it with others who
have an equal one; nor is a tuple shared, as nobody can change it.
"""

from __future__ import annotations

import sys
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

Part = tuple[str, Any, int]
"""How the name of a part is built (see ``stripe.snapshots``), and its item."""

MOST_ITEMS = 20_000
MOST_PARTS = 2_000
LONGEST = 100_000
"""Characters of a text."""

ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes, type(...)})
NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
CONTAINERS = {
    ("builtins", "list"): "sequence",
    ("builtins", "dict"): "mapping",
    ("builtins", "set"): "mapping",
    ("collections", "deque"): "sequence",
    ("collections", "defaultdict"): "mapping",
    ("collections", "Counter"): "mapping",
}
MADE = frozenset(CONTAINERS) - {("collections", "defaultdict")}
"""Those that can be made anew: the others have more than what is in them."""

HEAP_TYPE = 1 << 9
OPTIMIZED = 1
POINTER = tuple.__itemsize__
EMPTY = object.__basicsize__


class Item(NamedTuple):
    """A piece of memory: see ``stripe.snapshots.Item``; ``how`` says how to make one like it."""

    kind: str
    type: str
    text: str
    how: tuple[Any, ...] | None
    parts: list[Part]


class Memory:
    """All that frames and modules lead to.

    - ``items`` and, by the same numbers, the ``objects`` themselves
    - ``keys``: those of mappings and sets, by their texts
    - ``unseen``: what is there and was not looked into, and how often
    """

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.objects: list[Any] = []
        self.bases: list[Part] = []
        self.keys: dict[str, Any] = {}
        self.unseen: dict[str, int] = {}
        self._known: dict[int, int] = {}
        self._pending: deque[int] = deque()

    def add_frame(self, label: str, frame: Any, callers: Sequence[Any] = ()) -> None:
        """The local variables of a frame, but for those that it shares with one of its callers."""
        body = not frame.f_code.co_flags & OPTIMIZED  # of a class, which defines functions
        found = {
            name: value
            for name, value in dict(frame.f_locals).items()
            if not name.startswith(".") and not (body and issubclass(type(value), NAMED))
        }
        for name in frame.f_code.co_freevars:
            if any(shares(each, name, found.get(name)) for each in callers):
                found.pop(name, None)
        self._base("f:x", label, frame.f_code.co_qualname, frame, found)

    def add_module(self, label: str, module: types.ModuleType) -> None:
        """The global variables of a module, but for what it has defined and imported."""
        found = {
            name: value
            for name, value in module.__dict__.items()
            if type(name) is str
            and not (name.startswith("__") and name.endswith("__"))
            and not issubclass(type(value), NAMED)
        }
        self._base("m:x", label, f"module {module.__name__}", module, found)

    def _base(
        self, step: str, label: str, kind: str, owner: Any, variables: dict[str, Any]
    ) -> None:
        number = self._add("record", kind, "", None, owner)
        self.bases.append((step, label, number))
        parts = self.items[number].parts
        for name, value in variables.items():
            parts.append(("x", name, self._item(value)))
        while self._pending:
            each = self._pending.popleft()
            self._fill(each, self.objects[each])

    def _add(self, kind: str, type: str, text: str, how: tuple[Any, ...] | None, value: Any) -> int:
        self.items.append(Item(kind, type, text, how, []))
        self.objects.append(value)
        return len(self.items) - 1

    def _item(self, value: Any) -> int:
        """The number of a value: that of an object may be there already."""
        this = type(value)
        if literal(value):
            text = shown(value)
            if len(text) <= LONGEST:
                return self._add("atom", this.__qualname__, text, ("value", value), value)
        name = name_of(value)
        if name is not None:
            return self._add("atom", this.__qualname__, ".".join(name), ("name", *name), value)
        known = self._known.get(id(value))
        if known is not None:
            return known
        kind, how = self._kind(value)
        number = self._add(kind, type_name(this), "", how, value)
        if kind == "opaque":
            self._not_seen(type_name(this))
        else:
            self._pending.append(number)
        if not issubclass(this, tuple):
            self._known[id(value)] = number
        return number

    def _not_seen(self, what: str) -> None:
        self.unseen[what] = self.unseen.get(what, 0) + 1

    def _kind(self, value: Any) -> tuple[str, tuple[Any, ...] | None]:
        this = type(value)
        name = (this.__module__, this.__qualname__)
        if issubclass(this, tuple):
            whole = tuple.__len__(value) <= MOST_PARTS and (this is tuple or found_by(this))
            return ("record", ("tuple", *name)) if whole else ("opaque", None)
        kind = CONTAINERS.get(name)
        if kind is not None and found_by(this):
            keys = kind == "mapping" and not all(map(literal, value))
            if keys or len(value) > MOST_PARTS:
                return "opaque", None
            return kind, ("new", *name) if name in MADE else None
        if plain_class(this) and not enumeration(this) and len(attributes(value)) <= MOST_PARTS:
            return "record", ("object", *name) if found_by(this) else None
        return "opaque", None

    def _fill(self, number: int, value: Any) -> None:
        item = self.items[number]
        this = type(value)
        if len(self.items) > MOST_ITEMS:
            self.items[number] = item._replace(kind="opaque", how=None)
            self._not_seen("more than can be told")
            return
        if issubclass(this, tuple):
            found: Iterator[tuple[str, Any, Any]] = (
                ("x[1]", n, each) for n, each in enumerate(tuple.__iter__(value))
            )
        elif item.kind == "sequence":
            found = (("x[1]", n, each) for n, each in enumerate(value))
        elif this is set:
            found = ((("x['a']"), self._key(each), True) for each in sorted(value, key=shown))
        elif item.kind == "mapping":
            found = (("x['a']", self._key(key), each) for key, each in dict.copy(value).items())
        else:
            found = (("x.a", name, each) for name, each in attributes(value).items())
        for step, key, each in list(found):
            item.parts.append((step, key, self._item(each)))

    def _key(self, key: Any) -> str:
        text = shown(key)
        self.keys[text] = key
        return text


def shares(frame: Any, name: str, value: Any) -> bool:
    """Whether a frame has a variable of closures that is called so and holds this."""
    code = frame.f_code
    there = name in code.co_cellvars or name in code.co_freevars
    return there and frame.f_locals.get(name) is value


def literal(value: Any) -> bool:
    """Whether it is all told by how it is written."""
    if type(value) in (tuple, frozenset):
        return len(value) <= MOST_PARTS and all(map(literal, value))
    return type(value) in ATOMS


def shown(value: Any) -> str:
    """A literal, as it is written; equal for equal ones of a type only."""
    if type(value) is tuple:
        inside = ", ".join(map(shown, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if type(value) is frozenset:
        return f"frozenset({{{', '.join(sorted(map(shown, value)))}}})" if value else "frozenset()"
    if type(value) is int and abs(value) >> 10_000:
        return hex(value)  # which has no limit of digits
    return repr(value)


def name_of(value: Any) -> tuple[str, str] | None:
    """Module and name by which a class, function, module or member of an enumeration is found."""
    this = type(value)
    if issubclass(this, types.ModuleType):
        name: tuple[Any, Any] = (vars(value).get("__name__"), "")
    elif issubclass(this, NAMED):
        name = (
            getattr(value, "__module__", None) or "builtins",
            getattr(value, "__qualname__", None),
        )
    elif enumeration(this):
        name = (this.__module__, f"{this.__qualname__}.{vars(value).get('_name_')}")
    else:
        return None
    if type(name[0]) is not str or type(name[1]) is not str:
        return None
    return name if look_up(*name) is value else None


def enumeration(this: type) -> bool:
    """Whether a class is an enumeration, of which nobody makes or changes members."""
    return type(this).__name__ == "EnumType" and type(this).__module__ == "enum"


def look_up(module: str, name: str) -> Any:
    """What is called so; ``None`` if nothing is."""
    found: Any = sys.modules.get(module)
    for part in name.split(".") if name else ():
        try:
            inside = vars(found)
        except TypeError:
            return None
        found = inside.get(part, inside.get("_member_map_", {}).get(part))
    return found


def found_by(this: type) -> bool:
    """Whether a class is found by its name."""
    return look_up(this.__module__, this.__qualname__) is this


def type_name(this: type) -> str:
    """As people call it."""
    if this.__module__ in ("builtins", "__main__", "collections"):
        return this.__qualname__
    return f"{this.__module__}.{this.__qualname__}"


def plain_class(this: type) -> bool:
    """Whether objects of a class have nothing but attributes and slots.

    What is written in C has members of its own, and therefore larger objects.
    """
    slots = sum(
        type(each) is types.MemberDescriptorType
        for base in this.__mro__
        for each in vars(base).values()
    )
    return (
        bool(this.__flags__ & HEAP_TYPE)
        and this.__itemsize__ == 0
        and this.__basicsize__ == EMPTY + POINTER * slots
        and all(base is object or "__module__" in vars(base) for base in this.__mro__)
        and not issubclass(type(vars(this).get("__dict__")), property)
    )


def attributes(value: Any) -> dict[str, Any]:
    """The attributes that an object has itself."""
    found: dict[str, Any] = {}
    for name in slots_of(type(value)):
        try:
            found[name] = object.__getattribute__(value, name)
        except AttributeError:
            pass
    found.update(own_dict(value))
    return found


def slots_of(this: type) -> list[str]:
    """The names of its slots."""
    return [
        name
        for base in this.__mro__
        for name, each in vars(base).items()
        if type(each) is types.MemberDescriptorType
    ]


def own_dict(value: Any) -> dict[str, Any]:
    """The mapping that holds the attributes of an object; an empty one if it has none."""
    for base in type(value).__mro__:
        descriptor = vars(base).get("__dict__")
        if type(descriptor) is types.GetSetDescriptorType:
            found = descriptor.__get__(value)
            return found if type(found) is dict else {}
    return {}


Wants = Callable[[str], bool]


def modules_of(wants: Wants) -> Iterator[types.ModuleType]:
    """The user's modules, the program first."""
    main = sys.modules.get("__main__")
    if main is not None:
        yield main
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None) if module is not main else None
        known = type(module) is types.ModuleType and module.__name__ == name
        if known and type(file) is str and wants(file):
            yield module

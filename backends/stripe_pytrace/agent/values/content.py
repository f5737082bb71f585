"""What a value holds, as a number: the same for the same content, in any process.

The program's own code is not called, nothing is changed or kept, and addresses do not count.
Scalars, containers and the program's own objects count by their content, to :data:`DEPTH`;
functions, classes and modules by name; all else, such as files, iterators and what libraries
define, by type.
"""

from __future__ import annotations

import builtins
import sys
from itertools import islice
from marshal import dumps
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

DEPTH = 4
"""Containers and objects within each other."""

ITEMS = 500
"""Items at the beginning, and as many at the end, of a long container; and its length counts."""

PARTS = 5000
"""Parts of one value."""

LONG = 1000
"""Characters, from where a text counts by its hash (which it remembers)."""

MISSING: Any = object()
namespace_of: Callable[[type], Any] = type.__dict__["__dict__"].__get__
order_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
name_of: Callable[[type], str] = type.__dict__["__qualname__"].__get__
module_fields: Callable[[Any], Any] = vars(ModuleType)["__dict__"].__get__
arguments_of: Callable[[Any], Any] = BaseException.__dict__["args"].__get__

VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.values()), type({}.items()))
RECORDS = {
    "argparse.Namespace",
    "fractions.Fraction",
    "string.templatelib.Interpolation",
    "string.templatelib.Template",
    "types.SimpleNamespace",
    "uuid.UUID",
}
"""Classes of libraries whose objects count as the program's own do."""

TOLD_BY = {
    "datetime.date": "__reduce__",
    "datetime.datetime": "__reduce__",
    "datetime.time": "__reduce__",
    "datetime.timedelta": "__reduce__",
    "decimal.Decimal": "__str__",
    "array.array": "tobytes",
}
"""Methods, in C, that tell all that is in an object of a library."""

FROZENDICT: Any = getattr(builtins, "frozendict", ())
"""A builtin container since 3.15; no class is derived from ``()``."""

DATA = (list, tuple, dict, FROZENDICT, set, frozenset, str, bytes, bytearray)


def full_name(kind: type) -> str:
    module = namespace_of(kind).get("__module__")
    return f"{module if type(module) is str else 'builtins'}.{name_of(kind)}"


def is_data(value: Any) -> bool:
    """Whether a value is a text or a container, of a builtin type or one derived from it."""
    kind = type(value)
    return any(issubclass(kind, each) for each in DATA)


def own_class(is_own_file: Callable[[str], bool]) -> Callable[[type], bool]:
    """Tells which classes are the program's own, by the files of their modules."""
    known = {"__main__": True, "builtins": False}

    def is_own(kind: type) -> bool:
        name = namespace_of(kind).get("__module__")
        if type(name) is not str:
            return False
        if name not in known:
            module = sys.modules.get(name)
            if not issubclass(type(module), ModuleType):
                return False
            path = module_fields(module).get("__file__")
            known[name] = type(path) is str and is_own_file(path)
        return known[name]

    return is_own


class Content:
    """Makes digests; ``is_own`` tells the program's own classes."""

    def __init__(self, is_own: Callable[[type], bool]) -> None:
        self.is_own = is_own
        self.left = 0

    def digest(self, value: Any) -> int:
        """Raises RecursionError where the program has come too deep."""
        self.left = PARTS
        return hash(dumps(self.form(value, DEPTH, ()), 2))

    def form(self, value: Any, depth: int, above: tuple[Any, ...]) -> Any:
        """What ``marshal`` can write of a value; ``above`` is what it is in."""
        kind: Any = type(value)
        if kind is int or kind is bool or kind is float or value is None or kind is complex:
            return value
        if kind is str or kind is bytes:
            return value if len(value) < LONG else (len(value), hash(value))
        for place, each in enumerate(above):
            if each is value:
                return "again", place
        named = self.named(value, kind)
        if named is not None:
            return named
        size, parts = self.parts(value, kind)
        self.left -= 1 + min(size, 2 * ITEMS)
        if not depth or self.left < 0:
            return name_of(kind), size
        inside = (*above, value)
        forms = [self.form(each, depth - 1, inside) for each in parts]
        if issubclass(kind, (set, frozenset)):
            forms = sorted(dumps(each, 2) for each in forms)
        return name_of(kind), size, forms

    def named(self, value: Any, kind: Any) -> Any:
        """What has a name counts by that."""
        if kind is FunctionType:
            return "function", value.__qualname__
        if kind is BuiltinFunctionType:
            return "function", value.__name__
        if kind is MethodType:
            function = value.__func__
            return "method", function.__qualname__ if type(function) is FunctionType else ""
        if issubclass(kind, type):
            return "class", name_of(value)
        if issubclass(kind, ModuleType):
            name = module_fields(value).get("__name__")
            return "module", name if type(name) is str else ""
        return None

    def parts(self, value: Any, kind: Any) -> tuple[int, Any]:
        """How much a value holds, and what of it counts."""
        if issubclass(kind, (list, tuple)):
            base: Any = list if issubclass(kind, list) else tuple
            size = base.__len__(value)
            if size <= 2 * ITEMS:
                return size, base.__iter__(value)
            ends = slice(ITEMS), slice(size - ITEMS, size)
            return size, [each for end in ends for each in base.__getitem__(value, end)]
        if issubclass(kind, (dict, FROZENDICT)):
            base = dict if issubclass(kind, dict) else FROZENDICT
            pairs = islice(base.items(value), 2 * ITEMS)
            return base.__len__(value), [part for pair in pairs for part in pair]
        if issubclass(kind, (set, frozenset)):
            base = set if issubclass(kind, set) else frozenset
            size = base.__len__(value)
            return size, base.__iter__(value) if size <= 2 * ITEMS else ()
        if (
            full_name(kind) == "collections.deque"
            and type(namespace_of(kind)["append"]) is MethodDescriptorType
        ):
            return len(value), [*islice(value, ITEMS), *islice(reversed(value), ITEMS)]
        if any(kind is each for each in VIEWS):
            return len(value), [*islice(value, 2 * ITEMS)]
        parts = [*exact(value, kind)]
        if full_name(kind) in RECORDS or self.is_own(kind):
            held = fields(value, kind)
            parts += [part for key in sorted(held) for part in (key, held[key])]
        return len(parts), parts


def exact(value: Any, kind: Any) -> Iterator[Any]:
    """What an object is besides its attributes: a number, a text, an exception's arguments."""
    if issubclass(kind, str):
        yield str.__str__(value)
    elif issubclass(kind, bytes):
        yield bytes.__getitem__(value, slice(None))
    elif issubclass(kind, bytearray):
        yield bytes(bytearray.__getitem__(value, slice(None)))
    elif issubclass(kind, int):
        yield int.__int__(value)
    elif issubclass(kind, float):
        yield float.__float__(value)
    elif issubclass(kind, BaseException):
        yield arguments_of(value)
    elif kind is range or kind is slice:
        yield from (value.start, value.stop, value.step)
    else:
        method = namespace_of(kind).get(TOLD_BY.get(full_name(kind), ""))
        if type(method) in (MethodDescriptorType, WrapperDescriptorType):
            yield method(value)


def fields(value: Any, kind: Any) -> dict[str, Any]:
    """The attributes that an object has itself, as far as nothing of the program computes them."""
    found: dict[str, Any] = {}
    for each in order_of(kind):
        for name, what in namespace_of(each).items():
            if type(name) is not str:
                continue
            if type(what) is MemberDescriptorType and what.__objclass__ is each:
                try:
                    found[name] = what.__get__(value)
                except AttributeError:
                    continue
            elif name == "__dict__" and type(what) is GetSetDescriptorType:
                held = what.__get__(value)
                found.update((key, held[key]) for key in held if type(key) is str)
    return found


def attribute(value: Any, name: str) -> Any:
    """An attribute that the object has itself, else :data:`MISSING`."""
    return fields(value, type(value)).get(name, MISSING)


def item(value: Any, key: Any) -> Any:
    """An item of a builtin container, else :data:`MISSING`."""
    kind = type(value)
    if issubclass(kind, (dict, FROZENDICT)):
        plain = type(key) is str or type(key) is int or type(key) is tuple
        base = dict if issubclass(kind, dict) else FROZENDICT
        return base.get(value, key, MISSING) if plain else MISSING
    if (kind is list or kind is tuple) and type(key) is int and -len(value) <= key < len(value):
        return value[key]
    return MISSING

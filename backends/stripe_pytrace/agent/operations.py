"""What plain expressions do with values: they look at them first, so that to do it has no effect.

Where a value might do more (an object of the program's), or take long (a text or a number that is
large), :class:`Unknown` is raised, and nothing was done.
"""

from __future__ import annotations

import struct
from typing import Any

ATOMS = frozenset((int, float, str, bytes, bool, type(None)))
NUMBERS = frozenset((int, float, bool))
CONTAINERS = frozenset((list, dict, set, frozenset, tuple, str, bytes, range))
CALM = frozenset((list, dict, set, frozenset, type(len), type))
"""Kinds that a number or a text can stand beside: operators refuse them, and ask nobody."""

LONGEST, LARGEST, MOST_ITEMS, DEEPEST = 1000, 1 << 64, 40, 3
_OWN = type(vars(type("", (), {}))["__dict__"])

type Key = tuple[Any, ...]


class Unknown(Exception):
    """It cannot be told without running it."""


def atom(value: Any, depth: int = 0) -> Any:
    """A value to which operators do nothing but compute."""
    kind = type(value)
    if kind is int:
        if -LARGEST < value < LARGEST:
            return value
    elif kind is str or kind is bytes:
        if len(value) <= LONGEST:
            return value
    elif kind in ATOMS:
        return value
    elif kind is tuple and len(value) <= MOST_ITEMS and depth < DEEPEST:
        for each in value:
            atom(each, depth + 1)
        return value
    raise Unknown


def truth(value: Any) -> Any:
    """A value that may be asked whether it is true."""
    if type(value) in ATOMS or type(value) in CONTAINERS:
        return value
    raise Unknown


def length(value: Any) -> int:
    """Of what is no object of the program's."""
    if type(value) in CONTAINERS:
        return len(value)
    raise Unknown


def number(value: Any) -> Any:
    """One that is not large."""
    if type(value) in NUMBERS:
        return atom(value)
    raise Unknown


def operand(value: Any, other: Any) -> Any:
    """One of two, of which an operator makes a number or a text, or refuses both.

    A list beside a number, or a function: what is refused is refused without asking anybody.
    """
    kind = type(value)
    if kind in ATOMS or kind is tuple:
        return atom(value)
    if kind in CALM and (type(other) in ATOMS):
        return value
    raise Unknown


def added(left: Any, right: Any) -> Any:
    """``+``."""
    return operand(left, right) + operand(right, left)


def subtracted(left: Any, right: Any) -> Any:
    """``-``."""
    return operand(left, right) - operand(right, left)


def less(left: Any, right: Any) -> Any:
    """``<``."""
    return operand(left, right) < operand(right, left)


def less_or_equal(left: Any, right: Any) -> Any:
    """``<=``."""
    return operand(left, right) <= operand(right, left)


def greater(left: Any, right: Any) -> Any:
    """``>``."""
    return operand(left, right) > operand(right, left)


def greater_or_equal(left: Any, right: Any) -> Any:
    """``>=``."""
    return operand(left, right) >= operand(right, left)


def equal(left: Any, right: Any) -> Any:
    """``==``."""
    return operand(left, right) == operand(right, left)


def unequal(left: Any, right: Any) -> Any:
    """``!=``."""
    return operand(left, right) != operand(right, left)


def attribute(value: Any, name: str) -> Any:
    """What an object has of its own, and nobody computes."""
    kind = type(value)
    if (
        type(kind) is not type
        or getattr(kind, "__getattribute__", None) is not object.__getattribute__
        or any(
            name in vars(each) or type(vars(each).get("__dict__")) not in (_OWN, type(None))
            for each in kind.__mro__
        )
    ):
        raise Unknown
    try:
        return object.__getattribute__(value, "__dict__")[name]
    except (AttributeError, KeyError):
        raise Unknown from None


def item(value: Any, index: Any) -> Any:
    """An item of a list, a text, or a dictionary."""
    kind = type(value)
    if kind in ATOMS or kind in (tuple, dict) or (kind is list and type(index) is not slice):
        return value[index]
    raise Unknown


def within(value: Any, many: Any) -> bool:
    """Whether it is in a container, whose items need not be asked."""
    kind = type(many)
    if kind in (dict, set, frozenset, range, str, bytes):
        return value in many
    if kind is tuple or (kind is list and len(many) <= MOST_ITEMS):
        for each in many:
            atom(each)
        return value in many
    raise Unknown


def got(value: Any, *arguments: Any) -> Any:
    """By ``get``, of a dictionary."""
    if type(value) is dict:
        return value.get(*arguments)
    raise Unknown


def method(value: Any, name: str, *arguments: Any) -> Any:
    """What a method of texts returns."""
    if type(value) is str:
        return getattr(value, name)(*arguments)
    raise Unknown


def power(base: Any, exponent: Any) -> Any:
    """One that takes no time."""
    if abs(number(base)) < 1000 and abs(number(exponent)) < 20:
        return atom(base**exponent)
    raise Unknown


def rounded(value: Any, *digits: Any) -> Any:
    """By ``round``, which may compute a number that is large."""
    if all(abs(number(each)) < 100 for each in digits):
        return round(number(value), *digits)
    raise Unknown


def instance(value: Any, kinds: Any) -> bool:
    """Whether it is one of a class, where classes do not decide about that."""
    several = kinds if type(kinds) is tuple else (kinds,)
    kind = type(value)
    if any(type(each) is not type for each in (kind, *several)) or "__class__" in vars(kind):
        raise Unknown
    return issubclass(kind, tuple(several))


def text(value: Any) -> str:
    """As ``str`` writes it."""
    return str(atom(value))


def key(value: Any, depth: int = 0) -> Key:
    """What tells a value from others: ``1`` and ``True``, ``0.0`` and ``-0.0`` are two."""
    kind = type(value)
    if kind is float:
        return float, struct.pack("d", value)
    if kind in ATOMS:
        return kind, value
    if kind is tuple:  # it may be a new one each time
        if len(value) > MOST_ITEMS or depth >= DEEPEST:
            raise Unknown
        return tuple, *(key(each, depth + 1) for each in value)
    return "id", id(value)

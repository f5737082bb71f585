"""Changes the state of the running program, in its frames, modules and objects.

None of the program's code is called: objects are made without their ``__init__``, attributes are
set as ``object`` does, and containers are changed in place, so that aliases stay aliases.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable
from typing import Any

from ..compiling.versions import locals_writer
from .memory import Memory, look_up, own_dict, slots_of

Ref = tuple[bool, int]
"""Whether it is new, and its number: in the state it is copied from, or in this one."""

Parts = list[tuple[str, Any, Ref]]

write_locals = locals_writer()


class CannotBeMade(Exception):
    """There is nothing here to make such an object of, or an object refuses what it is to have."""


def attempt(change: Callable[..., Any], *arguments: Any) -> Any:
    """Make or change a single object of the program, which may refuse that.

    Raises :class:`CannotBeMade` then; every other exception of this module is a fault in it.
    """
    try:
        return change(*arguments)
    except Exception as error:
        raise CannotBeMade(type(error).__name__) from error


class Alteration:
    """What is to be done, as plain data.

    ``contents``: all that is new or has other parts than before, and its parts; ``made``: what is
    new, by number: kind and how it is made; ``keys``: keys of mappings by their texts.
    """

    def __init__(self, memory: Memory, told: dict[str, Any]) -> None:
        self.memory = memory
        self.contents: dict[Ref, Parts] = dict(told["contents"])
        self.how: dict[int, Any] = told["made"]
        self.keys: dict[str, Any] = {**told["keys"], **memory.keys}
        self.made: dict[int, Any] = {}
        self._tuples: dict[Ref, Any] = {}

    def apply(self) -> None:
        """Do it."""
        for number, (kind, how) in self.how.items():
            if kind != "atom" and (how is None or how[0] != "tuple"):
                self.made[number] = self._empty(how)
        self._reach_tuples()
        for ref, parts in self.contents.items():
            if not self._is_fixed(ref):
                self._fill(self._value(ref), [(s, k, self._value(part)) for s, k, part in parts])

    def _empty(self, how: tuple[Any, ...] | None) -> Any:
        this = None if how is None else look_up(how[1], how[2])
        if how is None or not isinstance(this, type):
            raise CannotBeMade(how and how[2])
        return attempt(object.__new__, this) if how[0] == "object" else attempt(this)

    def _reach_tuples(self) -> None:
        """Whoever has a tuple that changes gets another one."""
        while True:
            found = {}
            for number, item in enumerate(self.memory.items):
                parts: Parts = [(step, key, (False, part)) for step, key, part in item.parts]
                if (False, number) not in self.contents and any(
                    part in self.contents and self._is_tuple(part) for _, _, part in parts
                ):
                    found[False, number] = parts
            if not found:
                return
            self.contents.update(found)

    def _is_fixed(self, ref: Ref) -> bool:
        """Whether nothing can be put into it."""
        new, number = ref
        kind = self.how[number][0] if new else self.memory.items[number].kind
        return kind == "atom" or self._is_tuple(ref)

    def _is_tuple(self, ref: Ref) -> bool:
        new, number = ref
        how = self._how(new, number)
        return how is not None and how[0] == "tuple"

    def _how(self, new: bool, number: int) -> Any:
        return self.how[number][1] if new else self.memory.items[number].how

    def _value(self, ref: Ref) -> Any:
        """The object itself."""
        new, number = ref
        if self._is_tuple(ref):
            if ref not in self.contents:
                return self.memory.objects[number]
            if ref not in self._tuples:
                how = self._how(new, number)
                values = [self._value(part) for _, _, part in self.contents[ref]]
                this = look_up(how[1], how[2])
                self._tuples[ref] = attempt(tuple.__new__, this, values)
            return self._tuples[ref]
        if not new:
            return self.memory.objects[number]
        kind, how = self.how[number]
        if kind != "atom":
            return self.made[number]
        return how[1] if how[0] == "value" else look_up(how[1], how[2])

    def _fill(self, owner: Any, parts: list[tuple[str, Any, Any]]) -> None:
        values = {key: value for _, key, value in parts}
        this = type(owner)  # isinstance() would ask the object what it is
        if this is types.FrameType:
            attempt(write_locals, owner, values)
        elif issubclass(this, types.ModuleType):
            gone = [name for name in self._before(owner) if name not in values]
            put(owner.__dict__, values, gone)
        elif issubclass(this, list):
            attempt(list.__setitem__, owner, slice(None), list(values.values()))
        elif issubclass(this, set):
            set.clear(owner)
            attempt(set.update, owner, [self.keys[key] for key in values])
        elif issubclass(this, dict):
            attempt(fill_mapping, owner, [(self.keys[key], each) for key, each in values.items()])
        elif issubclass(this, deque):
            deque.clear(owner)
            attempt(deque.extend, owner, values.values())
        else:
            fill_object(owner, values)

    def _before(self, owner: Any) -> list[str]:
        number = next(n for n, each in enumerate(self.memory.objects) if each is owner)
        return [key for _, key, _ in self.memory.items[number].parts]


def put(where: dict[str, Any], values: dict[str, Any], gone: list[str]) -> None:
    """Set some, delete others."""
    for name in gone:
        where.pop(name, None)
    for name, value in values.items():
        if where.get(name, put) is not value:
            where[name] = value


def fill_mapping(owner: dict[Any, Any], items: list[tuple[Any, Any]]) -> None:
    """Make a mapping have these items, in this order; undisturbed if the keys are the same."""
    values = dict(items)
    if list(dict.keys(owner)) != list(values):
        dict.clear(owner)
    for key, value in values.items():
        dict.__setitem__(owner, key, value)


def fill_object(owner: Any, values: dict[str, Any]) -> None:
    """Make an object have these attributes."""
    slots = slots_of(type(owner))
    for name in slots:
        if name in values:
            attempt(object.__setattr__, owner, name, values[name])
        elif has_slot(owner, name):
            attempt(object.__delattr__, owner, name)
    inside = own_dict(owner)
    rest = {name: value for name, value in values.items() if name not in slots}
    put(inside, rest, [name for name in inside if name not in rest])


def has_slot(owner: Any, name: str) -> bool:
    """Whether there is something in a slot."""
    try:
        object.__getattribute__(owner, name)
    except AttributeError:
        return False
    return True

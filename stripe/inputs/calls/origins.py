"""The caller's own objects, by the copies that were made of them when a call began.

Tests are made with the copies, for a call may change what it gets.  What is returned in the end
consists of the caller's objects, so that they can be told by identity: a list of nodes of a syntax
tree is of use only if they are the nodes of that tree.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stripe.inputs.calls.values import parts_of, with_parts

DEEPEST = 50
"""Containers that lie deeper are taken as one whole."""

PLAIN = (str, bytes, int, bool, float, complex)
"""Types whose values have nothing but what they show; copies of them are the same objects."""


class Origins:
    """Which object of the caller's each copy was made of.

    Args:
        memo: what `copy.deepcopy` filled in while it made them.
    """

    def __init__(self, memo: Mapping[int, Any]) -> None:
        self._own: dict[int, tuple[Any, Any]] = {}
        # deepcopy keeps all that it has copied in a list, for as long as its memo lives.
        for original in memo.get(id(memo), ()):
            copied = memo.get(id(original))
            if copied is not None and copied is not original:
                self._own[id(copied)] = copied, original

    def __bool__(self) -> bool:
        return bool(self._own)

    def own(self, arguments: Mapping[str, Any], *, changed: bool) -> dict[str, Any]:
        """Return the arguments with the caller's objects in them instead of copies.

        A container is the caller's own if nothing was left out of it, and the call has neither
        added nor removed anything; else it is new, and what it holds is the caller's.

        Args:
            arguments: made of copies, by parameter. They are left as they are.
            changed: whether other objects are the caller's own even if the call has changed them.
                Without, such an object is a copy of what it was.
        """
        giving = _Giving(self._own, changed=changed)
        return {name: giving.give(value, DEEPEST) for name, value in arguments.items()}


class _Giving:
    """Gives the caller's objects for one answer; what occurs twice in it stays one object."""

    def __init__(self, own: Mapping[int, tuple[Any, Any]], *, changed: bool) -> None:
        self._own = own
        self._changed = changed
        self._given: dict[int, tuple[Any, Any]] = {}
        self._memo: dict[int, Any] = {}

    def give(self, value: Any, depth: int) -> Any:
        if id(value) not in self._given:
            own = self._own.get(id(value), (value, value))[1]
            self._given[id(value)] = value, own  # if it holds itself
            self._given[id(value)] = value, self._made(value, own, depth)
        return self._given[id(value)][1]

    def _made(self, value: Any, own: Any, depth: int) -> Any:
        parts = parts_of(value) if depth > 0 and type(value) not in PLAIN else None
        if parts is None:
            if own is value or self._changed or _equal(value, own):
                return own
            return copy.deepcopy(value, self._memo)
        given = [self.give(part, depth - 1) for part in parts]
        keys = None
        if type(value) is dict:
            keys = [self.give(key, depth - 1) for key in value]
        if _holds(own, given, keys):
            return own
        return with_parts(value, given) if keys is None else dict(zip(keys, given, strict=True))


def _holds(value: Any, parts: list[Any], keys: list[Any] | None) -> bool:
    """Whether these very objects are the parts of a container."""
    if keys is not None and not _same(list(value), keys):
        return False
    return _same(parts_of(value) or (), parts)


def _same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    return len(some) == len(others) and all(
        one is other
        or (type(one) is type(other) and type(one) in PLAIN and repr(one) == repr(other))
        for one, other in zip(some, others, strict=True)
    )


class _Different(Exception):
    pass


def _equal(one: Any, other: Any) -> bool:
    """Whether two objects, of which one was copied from the other, hold equal things throughout."""
    pairs = [(one, other)]
    seen = set()
    held = []  # what is made to be compared must not give its address to something else
    while pairs:
        pair = pairs.pop()
        held.append(pair)
        if pair[0] is pair[1] or (id(pair[0]), id(pair[1])) in seen:
            continue
        seen.add((id(pair[0]), id(pair[1])))
        try:
            pairs += _inside(*pair)
        except Exception:  # they differ, or a class of the user's does not tell
            return False
    return True


def _inside(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of things that have to be equal for both to be.

    Raises:
        _Different: when they cannot be.
    """
    kind = type(one)
    if kind is not type(other):
        raise _Different
    if kind in PLAIN:
        if repr(one) != repr(other):
            raise _Different
    elif kind in (list, tuple):
        yield from zip(one, other, strict=True)
    elif kind is dict:
        yield from zip(one.items(), other.items(), strict=True)
    elif kind in (set, frozenset, bytearray):
        if one != other:
            raise _Different
    else:
        state, another = one.__reduce_ex__(4), other.__reduce_ex__(4)
        if isinstance(state, str) or isinstance(another, str):
            raise _Different  # a global, and not this one
        for part, counterpart in zip(state, another, strict=True):
            if isinstance(part, Iterator):
                yield from zip(part, counterpart, strict=True)
            else:
                yield part, counterpart

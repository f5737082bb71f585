"""Hashes of plain objects that are the same in each run: numbers, not addresses.

The order of a set follows the hashes of what is in it.  Objects of classes without ``__hash__`` are
hashed by their addresses, and a replay allocates other objects than the recorded run.  So the
program's own classes get a ``__hash__`` that numbers their objects in the order in which they are
first hashed.  What the program prints must not depend on it: the plain run has no such hashes.
"""

from __future__ import annotations

import gc
from itertools import count

from ..process.natives import partial, ref
from ..process.recursion_limit import ROOM, get_limit, set_limit

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ADDRESS: Callable[[object], int] = object.__hash__


class Numbering:
    """``decorate`` is the outermost decorator of the program's classes.

    ``applied``: whether any class has such hashes; ``used``: whether any object.
    """

    def __init__(self) -> None:
        self.applied = self.used = False
        self._numbers: dict[int, tuple[int, Any]] = {}  # by address, and what tells of its end
        self._next = count(1)
        numbering, numbers = self, self._numbers

        def __hash__(self: object) -> int:  # noqa: N807
            known = numbers.get(ADDRESS(self))
            if known is not None:
                return known[0]
            limit = get_limit()
            set_limit(limit + ROOM)
            try:
                return numbering.number(self)
            finally:
                set_limit(limit)

        def __del__(self: object, forget: Any = self._numbers.pop, address: Any = ADDRESS) -> None:  # noqa: N807
            forget(address(self), None)

        self._hash, self._end = __hash__, __del__

    def decorate(self, made: Any) -> Any:
        """Returns what it is given: a class, or whatever a decorator made of one."""
        if (
            isinstance(made, type)
            and type.__getattribute__(made, "__hash__") is ADDRESS
            # Objects that are there already may have been hashed: by a decorator, a metaclass.
            and not any(type(each) is made for each in gc.get_objects())
        ):
            type.__setattr__(made, "__hash__", self._hash)
            self.applied = True
        return made

    def number(self, thing: object) -> int:
        """A number of its own for as long as it lives; its address, if its end is not told."""
        address = ADDRESS(thing)
        try:
            # Called with the dead reference, which pop() takes for its default.
            end = ref(thing, partial(self._numbers.pop, address))
        except TypeError:
            if not self._ends(type(thing)):
                return address
            end = None
        self.used = True
        number = next(self._next)
        self._numbers[address] = number, end
        return number

    def _ends(self, kind: Any) -> bool:
        """Have the end of objects be told that cannot be referred to weakly, as those of slots."""
        for each in type.__dict__["__mro__"].__get__(kind):
            found = type.__dict__["__dict__"].__get__(each).get("__del__")
            if found is not None:
                return found is self._end
        type.__setattr__(kind, "__del__", self._end)
        return True

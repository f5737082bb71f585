"""Named tuples as :class:`typing.NamedTuple` makes them, in a tenth of the time.

That one checks what every annotation is, and makes each class twice.  What its classes have beside
fields, defaults, ``_replace`` and ``_fields`` is not used here.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any


class _Naming(type):
    """Makes a tuple type, instead of a class, of fields with annotations, and of methods."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = namespace["__annotations__"]
        defaults = tuple(namespace.pop(each) for each in fields if each in namespace)
        names = ", ".join(fields)
        new = eval(f"lambda cls, {names}: make(cls, ({names},))", {"make": tuple.__new__})
        new.__defaults__ = defaults
        made: dict[str, Any] = {
            "__slots__": (),
            "_fields": tuple(fields),
            "__match_args__": tuple(fields),
            "__new__": new,
            "__repr__": _shown,
            "__getnewargs__": _values,
            "_replace": _replace,
        }
        made |= {each: _tuplegetter(number, "") for number, each in enumerate(fields)}
        return type(name, (tuple, *bases[1:]), {**made, **namespace})


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(self)


def _replace(self: Any, **changes: Any) -> Any:
    return type(self)(**{**dict(zip(self._fields, self, strict=True)), **changes})


def _shown(self: Any) -> str:
    told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{type(self).__name__}({told})"


class _NamedTuple(metaclass=_Naming):
    """See :class:`typing.NamedTuple`; annotations have to be postponed."""


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    NamedTuple = _NamedTuple

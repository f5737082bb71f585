"""``typing.NamedTuple`` without :mod:`typing` and :mod:`collections`.

Their import takes as long as half the agent's.
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Naming(type):
    """Makes a tuple type, instead of a class, of fields with annotations, and of methods."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = namespace.pop("__annotations__")
        defaults = tuple(namespace.pop(each) for each in fields if each in namespace)
        names = ", ".join(fields)
        new = eval(f"lambda cls, {names}: make(cls, ({names},))", {"make": tuple.__new__})
        new.__defaults__ = defaults
        made = {"__slots__": (), "__new__": new, "__repr__": _shown, "_replace": _replace}
        made |= {each: _tuplegetter(number, "") for number, each in enumerate(fields)}
        return type(name, (tuple,), {**made, **namespace, "_fields": tuple(fields)})


def _replace(self: Any, **changes: Any) -> Any:
    return type(self)(**{**dict(zip(self._fields, self, strict=True)), **changes})


def _shown(self: Any) -> str:
    told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{type(self).__name__}({told})"


class NamedTuple(metaclass=_Naming):
    """See :class:`typing.NamedTuple`; fields have to be annotated as under postponed evaluation."""

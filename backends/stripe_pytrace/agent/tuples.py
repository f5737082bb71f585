"""``typing.NamedTuple`` without :mod:`typing`, whose import takes as long as half the agent's."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Naming(type):
    """Makes a tuple type, instead of a class, of fields with annotations, and of methods."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = namespace.pop("__annotations__")
        defaults = [namespace.pop(each) for each in fields if each in namespace]
        base = namedtuple(name, fields, defaults=defaults)  # type: ignore[misc]
        namespace.setdefault("__slots__", ())
        return type(name, (base,), namespace)


class NamedTuple(metaclass=_Naming):
    """See :class:`typing.NamedTuple`; fields have to be annotated as under postponed evaluation."""

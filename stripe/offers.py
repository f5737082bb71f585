"""Protocols that something may follow as well: what is asked of it by :func:`isinstance`.

As :mod:`typing` answers, to ask imports :mod:`inspect`, which takes a tenth of all that the command
imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from abc import ABCMeta as ProtocolType
else:
    ProtocolType = type(Protocol)


class Offer(ProtocolType):
    """The metaclass of such a protocol.

    What has all of its attributes follows it: as attributes of its own, or of its class.  No
    property is asked for its value.
    """

    def __init__(self, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        named = {*namespace, *self.__annotations__}
        self._offered = frozenset(each for each in named if not each.startswith("_"))

    def __instancecheck__(self, instance: object) -> bool:
        own = getattr(instance, "__dict__", {})
        places = (own, *(vars(base) for base in type(instance).__mro__))
        return all(any(name in place for place in places) for name in self._offered)

"""What follows a protocol that may be followed as well."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, Protocol, runtime_checkable

from stripe.offers import Offer


@runtime_checkable
class Proved(Protocol, metaclass=Offer):
    proved: int

    def prove(self) -> int: ...


class InClass:
    proved = 3

    def prove(self) -> int:
        return self.proved


class InInstance:
    def __init__(self) -> None:
        self.proved = 3

    def prove(self) -> int:
        return self.proved


class Computed:
    @property
    def proved(self) -> int:
        raise AssertionError("nobody wants to know how often")

    def prove(self) -> int:
        return 3


class Slotted:
    __slots__ = ("proved",)

    def prove(self) -> int:
        return 3


class Inherited(InClass):
    pass


class Half:
    proved = 3


def test_attributes_decide_wherever_they_are() -> None:
    for each in (InClass, InInstance, Computed, Slotted, Inherited):
        assert isinstance(each(), Proved), each
    others: tuple[Any, ...] = (Half(), object(), 3, None)
    for other in others:
        assert not isinstance(other, Proved)


ASKED = """\
import sys
from stripe.backend import Varied, Watching, Witnessed

assert not any(isinstance(object(), each) for each in (Varied, Watching, Witnessed))
print(*sys.modules)
"""


def test_to_ask_imports_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", ASKED], capture_output=True, text=True, check=True
    )
    assert "inspect" not in done.stdout.split()

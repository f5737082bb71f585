"""The answer of ``stripe input``: the smallest input with which a command fails."""

from __future__ import annotations

from typing import Annotated, Literal

from stripe.dd import Reason
from stripe.results.formats import INPUTS
from stripe.results.model import (
    UNSET,
    Count,
    Model,
    Name,
    Note,
    Seconds,
    UnsetType,
    whole,
)
from stripe.results.searches import Tests, check_tests
from stripe.results.wrong import WrongError


class Bytes(Model):
    """How long the inputs are."""

    original: Count
    failing: Count
    passing: Count | None


class Content(Model):
    """An input: one of these.

    - ``text``: as it is, if it is UTF-8
    - ``base64``: else in Base64
    """

    text: str | UnsetType = UNSET
    base64: bytes | UnsetType = UNSET

    @property
    def data(self) -> bytes:
        """The input."""
        if isinstance(self.base64, bytes):
            return self.base64
        return str(self.text).encode()


class Failure(Model):
    """How the original failed, and the answer."""

    original: Note
    answer: Note


class Level(Model, rename={"name": "units"}):
    """A pass of the search: how many units there were, and were left."""

    name: Name
    before: Count
    after: Count
    tests: Count


class Improvement(Model):
    """A smaller failing input: after how many tests it was found, and its length in bytes."""

    tests: Count
    bytes: Count


class Document(Model):
    """What `stripe input --json FILE` writes: an input with which a command still fails.

    - ``mode``: min, max or diff
    - ``units``: the finest units, in which the answer is 1-minimal if `certified`
    - ``failing``: the smallest that fails; in mode max the original one
    - ``passing``: in the modes max and diff: the closest to it that passes
    - ``untried``: why the tests show nothing; empty: they do
    - ``certified``: whether without any single unit of the finest kind it does not fail
    - ``improvements``: how the failing input became smaller, in mode min
    - ``stopped``: why the search ended
    - ``verified``: whether the answer failed once more in the end; null: not tried
    - ``output``: the files in which the answer is
    """

    format: Literal["stripe-input-result"]
    version: Annotated[int, whole(INPUTS.first, INPUTS.version)]
    file: Note
    mode: Name
    units: Name
    bytes: Bytes
    failing: Content
    passing: Content | None
    failure: Failure
    untried: Note
    tests: Tests
    certified: bool
    stopped: Reason
    verified: bool | None
    levels: tuple[Level, ...]
    improvements: tuple[Improvement, ...]
    seconds: Seconds
    output: tuple[Note, ...]
    notes: tuple[Note, ...]


def check(document: Document) -> None:
    """Raise WrongError unless the values of a document go together."""
    check_tests(document.tests)
    if document.mode not in ("min", "max", "diff"):
        raise WrongError("min, max or diff", document.mode, "mode")
    if (document.passing is None) != (document.mode == "min"):
        raise WrongError("null in mode min, and an input in others", document.passing, "passing")
    for name in ("failing", "passing"):
        content: Content | None = getattr(document, name)
        if content is None:
            continue
        if (content.text is UNSET) == (content.base64 is UNSET):
            raise WrongError("either text or base64", content.to_json(), name)
        size = getattr(document.bytes, name)
        if len(content.data) != size:
            raise WrongError(f"{len(content.data)}, the length of the input", size, "bytes", name)

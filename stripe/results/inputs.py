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
from stripe.results.searches import Tests


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


class Document(Model):
    """What `stripe input --json FILE` writes: an input with which a command still fails.

    - ``mode``: min, max or diff
    - ``units``: the finest units, in which the answer is 1-minimal if `certified`
    - ``failing``: the smallest that fails; in mode max the original one
    - ``passing``: in the modes max and diff: the closest to it that passes
    - ``untried``: why the tests show nothing; empty: they do
    - ``certified``: whether without any single unit of the finest kind it does not fail
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
    seconds: Seconds
    output: tuple[Note, ...]
    notes: tuple[Note, ...]

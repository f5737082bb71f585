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
    doc,
    whole,
)
from stripe.results.searches import Tests


class Bytes(Model):
    """How long the inputs are."""

    original: Count
    failing: Count
    passing: Count | None


class Content(Model):
    """An input: one of these."""

    text: Annotated[str | UnsetType, doc("As it is, if it is UTF-8.")] = UNSET
    base64: Annotated[bytes | UnsetType, doc("Else in Base64.")] = UNSET


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
    """What `stripe input --json FILE` writes: an input with which a command still fails."""

    format: Literal["stripe-input-result"]
    version: Annotated[int, whole(INPUTS.first, INPUTS.version)]
    file: Note
    mode: Annotated[Name, doc("min, max or diff.")]
    units: Annotated[
        Name, doc("The finest units, in which the answer is 1-minimal if `certified`.")
    ]
    bytes: Bytes
    failing: Annotated[Content, doc("The smallest that fails; in mode max the original one.")]
    passing: Annotated[
        Content | None, doc("In the modes max and diff: the closest to it that passes.")
    ]
    failure: Failure
    untried: Annotated[Note, doc("Why the tests show nothing; empty: they do.")]
    tests: Tests
    certified: Annotated[
        bool, doc("Whether without any single unit of the finest kind it does not fail.")
    ]
    stopped: Annotated[Reason, doc("Why the search ended.")]
    verified: Annotated[
        bool | None, doc("Whether the answer failed once more in the end; null: not tried.")
    ]
    levels: tuple[Level, ...]
    seconds: Seconds
    output: Annotated[tuple[Note, ...], doc("The files in which the answer is.")]
    notes: tuple[Note, ...]

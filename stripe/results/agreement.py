"""Whether an answer of ``stripe why`` holds: the same question asked again, reason by reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from stripe.results.why import Document, EvidenceKind, ExperimentName

type Fate = Literal["holds", "gone", "untried"]

SAYS_AS_MUCH: dict[str, tuple[EvidenceKind, ...]] = {"depends": ("kept", "decides")}
"""What is as good as evidence of a kind: where something can be left out, a line that is needed."""


class Found(NamedTuple):
    """Evidence of a kind for a line, which is known by its file and text, wherever it moved."""

    file: str
    source: str
    kind: EvidenceKind


@dataclass(frozen=True, slots=True)
class Again:
    """What became of one reason for a place.

    ``fate``: holds: it was found again; gone: the experiment was made to its end, and did not find
    it; untried: the experiment came to no end.  ``why``: why it did not.
    """

    file: str
    line: int
    kind: str
    experiment: ExperimentName
    says: str
    fate: Fate
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """The fate as plain JSON data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Agreement:
    """An answer of then beside that of now.

    ``then``, ``now``: what happened, in a sentence.  ``again``: a fate for each reason of then.
    """

    then: str
    now: str
    same: bool
    again: tuple[Again, ...]
    interrupted: bool

    @property
    def holds(self) -> bool:
        """Whether the same happens, and each reason was found again."""
        return self.same and bool(self.again) and all(each.fate == "holds" for each in self.again)

    def to_json(self) -> dict[str, Any]:
        """The agreement as plain JSON data."""
        return {
            "format": "stripe-why-verification",
            "version": 1,
            "holds": self.holds,
            "interrupted": self.interrupted,
            "then": self.then,
            "now": self.now,
            "same": self.same,
            "reasons": [each.to_json() for each in self.again],
        }


def agreement(then: Document, now: Document, found: Collection[Found]) -> Agreement:
    """Compare two answers to one question; ``found``: all of now, whether the answer tells it.

    Where something else happens now, no reason of then is told to hold.
    """
    one, other = _plain(then), _plain(now)
    same = (then.happened.symptom, one) == (now.happened.symptom, other)
    again = tuple(_fates(then, now, found, same=same))
    return Agreement(one, other, same, again, now.interrupted)


def _plain(document: Document) -> str:
    """What the plain run did: what is told first may be more, where there was time to look."""
    told = (each.says for each in document.experiments if each.name == "run")
    return next(told, document.happened.says)


def _fates(
    then: Document, now: Document, found: Collection[Found], *, same: bool
) -> Iterator[Again]:
    made = {each.name: each for each in now.experiments}
    for place in then.places:
        for reason in place.why:
            experiment = made.get(reason.experiment)
            fate: Fate = "gone"
            why = ""
            if not same:
                fate, why = "untried", "something else happens now"
            elif any(
                Found(place.file, place.source, kind) in found
                for kind in (reason.kind, *SAYS_AS_MUCH.get(reason.kind, ()))
            ):
                fate = "holds"
            elif experiment is None or not experiment.complete:
                fate, why = "untried", "it was not made" if experiment is None else experiment.says
            yield Again(
                place.file, place.line, reason.kind, reason.experiment, reason.says, fate, why
            )

"""Whether an answer of ``stripe why`` holds: the same question asked again, reason by reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from stripe.results.why import Document, ExperimentName

type Fate = Literal["holds", "gone", "untried"]

DECIDED = ("found", "nothing")
"""Standings of an experiment that came to its end: what it did not tell then, it did not find."""


@dataclass(frozen=True, slots=True)
class Again:
    """What became of one reason for a place.

    ``fate``: holds: it was found again; gone: the experiment was made again, and the answer does
    not tell it any more; untried: the experiment came to no end.  ``why``: why it did not.
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


def agreement(then: Document, now: Document) -> Agreement:
    """Compare two answers to one question; places are known by file and text, wherever they moved.

    Where something else happens now, no reason of then is told to hold.
    """
    one, other = _plain(then), _plain(now)
    same = (then.happened.symptom, one) == (now.happened.symptom, other)
    again = tuple(_fates(then, now, same=same))
    return Agreement(one, other, same, again, now.interrupted)


def _plain(document: Document) -> str:
    """What the plain run did: what is told first may be more, where there was time to look."""
    told = (each.says for each in document.experiments if each.name == "run")
    return next(told, document.happened.says)


def _fates(then: Document, now: Document, *, same: bool) -> Iterator[Again]:
    told = {
        (place.file, place.source, reason.kind, reason.experiment)
        for place in now.places
        for reason in place.why
    }
    made = {each.name: each for each in now.experiments}
    for place in then.places:
        for reason in place.why:
            experiment = made.get(reason.experiment)
            fate: Fate = "gone"
            why = ""
            if not same:
                fate, why = "untried", "something else happens now"
            elif (place.file, place.source, reason.kind, reason.experiment) in told:
                fate = "holds"
            elif experiment is None or experiment.standing not in DECIDED:
                fate, why = "untried", "it was not made" if experiment is None else experiment.says
            yield Again(
                place.file, place.line, reason.kind, reason.experiment, reason.says, fate, why
            )

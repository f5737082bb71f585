"""Evidence for a line: what an experiment has shown of it, in a sentence that says no more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from stripe.results.why import ExperimentName


class Kind(Enum):
    """What was shown, with the name it has in results; see :class:`stripe.results.why.Reason`."""

    REPAIRED = "repaired"
    PARTLY = "partly"
    CHANGED = "changed"
    TRANSITION = "transition"
    RAISED = "raised"
    COMPUTED = "computed"
    KEPT = "kept"
    DECIDES = "decides"
    DEPENDS = "depends"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What ``experiment`` has shown of a line.

    - ``strength``: from 0 to 1: how much of what such evidence can be it is (a part of the failing
      tests is repaired; dependences away from the symptom)
    - ``says``: a sentence without its end; what it tells was tried
    - ``diff``: the change that was tried, if it was one
    """

    kind: Kind
    experiment: ExperimentName
    file: str
    line: int
    function: str
    says: str
    strength: float = 1.0
    diff: str = ""

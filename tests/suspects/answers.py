"""Results of searches for suspects, made by hand."""

from __future__ import annotations

import math
from typing import Any

from stripe.dd import Reason
from stripe.interventions import Line
from stripe.suspects import Place, SliceView, Standing, Suspect, SuspectsResult
from stripe.suspects.edits import unified
from stripe.suspects.tallies import Tally

SHOP = [
    '"""A shop."""',
    "",
    "class Basket:",
    "    def __init__(self, limit):",
    "        self.items = []",
    "        self.limit = limit",
    "",
    "    def add(self, name):",
    "        if len(self.items) > self.limit:",
    '            raise ValueError("full")',
    "        self.items.append(name)",
    "        return len(self.items)",
    *([""] * 20),
    "def total(basket):",
    "    return sum(each.price for each in basket.items)",
]


def place(line: int, old: str, new: str | None, evil: str = "", **changes: Any) -> Place:
    """A change of a line of the shop."""
    text = "\n".join(SHOP) + "\n"
    told: dict[str, Any] = {
        "file": f"shop.py{evil}", "line": line, "end": line, "function": f"Basket.add{evil}",
        "kind": "comparison", "words": f"`{new}` instead of `{old}`{evil}",
        "diff": None if new is None
        else unified("shop.py", text + evil, text.replace(old, new) + evil + evil),
        "size": 1, "repaired": 2, "failing": 2, "kept": 4, "broken": 0, "passing": 4, "others": 1,
        "before": (f"False{evil}", "False"), "after": ("False", f"True{evil}"),
        "source": SHOP[line - 1].strip() + evil,
        "righted": (f"test_shop.py::test_full{evil}", "test_shop.py::test_fuller"),
    }  # fmt: skip
    return Place(**{**told, **changes})


def sample(evil: str = "", **changes: Any) -> SuspectsResult:
    """Two files and two places; ``evil`` is in every text."""
    shop, other = f"shop.py{evil}", f"till/prices.py{evil}"
    lines = [(9, 1, 2), (11, 2, 1), (6, 3, 0), (10, 4, 0), (12, 4, 0)]
    ranking = [Suspect(shop, line, rank, 1 / (rank + 0.5), n) for line, rank, n in lines]
    ranking.append(Suspect(other, 2, 6, 0.1, 0))
    ranking.append(Suspect(shop, 34, 7, 0.0, 0))
    told: dict[str, Any] = {
        "program": f"pytest{evil}",
        "places": (
            place(9, "self.items) > self", "self.items) >= self", evil),
            place(11, "append(name)", None, evil, repaired=1, kept=3, broken=1, before=(),
                  righted=(f"test_shop.py::test_full{evil}",),
                  spoiled=(f"test_shop.py::test_3{evil}",)),
        ),
        "ranking": tuple(ranking),
        "spectrum": {
            "ochiai": {Line(each.file, each.line): each.ochiai for each in ranking},
            "dstar": {Line(each.file, each.line): math.inf if each.rank == 1 else 1 / 3
                      for each in ranking},
            "tarantula": {Line(each.file, each.line): 1 / each.rank for each in ranking},
        },
        "failing": (f"test_shop.py::test_full{evil}", "test_shop.py::test_fuller"),
        "passing": tuple(f"test_shop.py::test_{n}" for n in range(4)),
        "left_out": (f"test_shop.py::test_slow{evil}",),
        "offered": 340, "tried": 52, "ended": {"whole": 48, "fuel": 3, "crashed": 1},
        "runs": 71, "stopped": Reason.MAX_TIME, "seconds": 12.3456,
        "source": {
            **{Line(shop, n): text + evil for n, text in enumerate(SHOP, 1) if n < 16 or n > 30},
            **{Line(other, n): f"price_{n} = {n}{evil}" for n in range(1, 6)},
        },
        "tallies": {
            Line(shop, 6): Tally(10, nothing=3),
            Line(shop, 9): Tally(30, repaired=2, partly=3, broken=4, nothing=14, lost=1),
            Line(shop, 11): Tally(20, partly=1, broken=1, nothing=8),
            Line(shop, 12): Tally(20, nothing=12, lost=3),
            Line(other, 2): Tally(260),
        },
        "slice": SliceView(
            f"test_shop.py::test_full{evil}", "exception",
            {Line(shop, 9): Standing.DECIDES, Line(shop, 11): Standing.CRITICAL,
             Line(shop, 6): Standing.DYNAMIC, Line(shop, 10): Standing.EXECUTED},
            12, 40, False, True,
        ),
        "sandbox": "namespaces", "notes": (f"Not all was tried.{evil}",),
    }  # fmt: skip
    return SuspectsResult(**{**told, **changes})

"""Results of searches for suspects, made by hand."""

from __future__ import annotations

from typing import Any

from stripe.dd import Reason
from stripe.results.suspects import (
    Changes,
    Place,
    Ranked,
    SliceView,
    SourceLine,
    Standing,
    SuspectsResult,
    Tally,
    Values,
)
from stripe.suspects.edits import unified

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
        "values": Values((f"False{evil}", "False"), ("False", f"True{evil}")),
        "source": SHOP[line - 1].strip() + evil,
        "righted": (f"test_shop.py::test_full{evil}", "test_shop.py::test_fuller"),
        "spoiled": (),
    }  # fmt: skip
    return Place(**{**told, **changes})


def tally(file: str, line: int, offered: int, **counts: int) -> Tally:
    """What came of the changes of a line; what is not told is none."""
    names = ("repaired", "partly", "broken", "nothing", "lost")
    return Tally(file, line, offered, **{**dict.fromkeys(names, 0), **counts})


def sample(evil: str = "", **changes: Any) -> SuspectsResult:
    """Two files and two places; ``evil`` is in every text."""
    shop, other = f"shop.py{evil}", f"till/prices.py{evil}"
    standing = {9: Standing.DECIDES, 11: Standing.CRITICAL, 6: Standing.DYNAMIC,
                10: Standing.EXECUTED}  # fmt: skip
    lines = [(9, 1, 2), (11, 2, 1), (6, 3, 0), (10, 4, 0), (12, 4, 0)]
    ranks = [(shop, line, rank, 1 / (rank + 0.5), n) for line, rank, n in lines]
    ranks += [(other, 2, 6, 0.1, 0), (shop, 34, 7, 0.0, 0)]
    ranking = [
        Ranked(file, line, rank, n, ochiai, None if rank == 1 else 1 / 3, 1 / rank,
               standing.get(line, Standing.ABSENT))
        for file, line, rank, ochiai, n in ranks
    ]  # fmt: skip
    told: dict[str, Any] = {
        "format": "stripe-suspects-result", "version": 1,
        "program": f"pytest{evil}",
        "places": (
            place(9, "self.items) > self", "self.items) >= self", evil),
            place(11, "append(name)", None, evil, repaired=1, kept=3, broken=1,
                  values=Values((), ("False", f"True{evil}")),
                  righted=(f"test_shop.py::test_full{evil}",),
                  spoiled=(f"test_shop.py::test_3{evil}",)),
        ),
        "ranking": tuple(ranking),
        "failing": (f"test_shop.py::test_full{evil}", "test_shop.py::test_fuller"),
        "passing": tuple(f"test_shop.py::test_{n}" for n in range(4)),
        "left_out": (f"test_shop.py::test_slow{evil}",),
        "changes": Changes(offered=340, tried=52, whole=48, fuel=3, crashed=1, invalid=0),
        "runs": 71, "stopped": Reason.MAX_TIME, "seconds": 12.3456,
        "code": (
            *(SourceLine(shop, n, text + evil)
              for n, text in enumerate(SHOP, 1) if n < 16 or n > 30),
            *(SourceLine(other, n, f"price_{n} = {n}{evil}") for n in range(1, 6)),
        ),
        "lines": (
            tally(shop, 6, 10, nothing=3),
            tally(shop, 9, 30, repaired=2, partly=3, broken=4, nothing=14, lost=1),
            tally(shop, 11, 20, partly=1, broken=1, nothing=8),
            tally(shop, 12, 20, nothing=12, lost=3),
            tally(other, 2, 260),
        ),
        "slice": SliceView(f"test_shop.py::test_full{evil}", "exception", 12, 40, False, True),
        "sandbox": "namespaces", "notes": (f"Not all was tried.{evil}",),
    }  # fmt: skip
    return SuspectsResult(**{**told, **changes})

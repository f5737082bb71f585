"""Lines that tests execute are those that a tracer sees, of the user's files only."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from stripe_pytrace.agent.observing.spectra import Spectrum, attributes

OURS, OTHERS = "/nowhere/ours.py", "/nowhere/library.py"
TEXT = """
def early():
    yield 1
    done = 2
    try:
        yield 3
    except KeyError:
        done = 4
    yield done

class Shop:
    rates = [rate for rate in range(3)]
    def total(self, many):
        def each():
            for one in self.rates:
                yield one * many
        return sum(each())

def act(first, second):
    next(first)
    second.throw(KeyError)
    return Shop().total(2), sorted([2, 1], key=lambda one: (
        -one))
"""


def acted(watched: Callable[[Callable[[], object]], dict[str, list[int]]]) -> dict[str, list[int]]:
    """What is seen while generators go on that had begun, and functions are run that are equal."""
    names: list[dict[str, Any]] = []
    for path in (OURS, OTHERS, OURS):
        names.append({})
        exec(compile(TEXT, path, "exec"), names[-1])
    going = []
    for each in names:
        first, second = each["early"](), each["early"]()
        next(first)
        next(second), next(second)
        going.append((each["act"], first, second))
    return watched(lambda: [act(first, second) for act, first, second in going])


def by_tracing(action: Callable[[], object]) -> dict[str, list[int]]:
    found: set[int] = set()

    def trace(frame: Any, event: str, _: object) -> Any:
        if event == "line" and frame.f_code.co_filename == OURS:
            found.add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return {OURS: sorted(found)}


def test_lines_are_those_that_a_tracer_sees() -> None:
    spectrum = Spectrum(lambda path: path == OURS)

    def looked(action: Callable[[], object]) -> dict[str, list[int]]:
        spectrum.begin()
        action()
        return spectrum.end()

    try:
        seen = acted(by_tracing)
        assert len(seen[OURS]) > 10
        assert acted(looked) == seen
        assert acted(looked) == seen  # again, in the same functions
    finally:
        spectrum.close()


class Slotted:
    __slots__ = ("here", "later")

    def __init__(self) -> None:
        self.here = 1


class Eager(Slotted):
    """Whatever is asked of it runs."""

    asked = False

    def __init__(self) -> None:
        super().__init__()
        self.own = [1]

    @property
    def total(self) -> int:
        Eager.asked = True
        return 1

    def __getattr__(self, name: str) -> int:
        Eager.asked = True
        return 1


def test_attributes_of_an_object_are_known_and_nothing_of_it_runs() -> None:
    assert attributes(Eager()) == ["own", "total", "here", "later"]
    assert not Eager.asked
    assert attributes(Eager) == attributes(3) == attributes([]) == attributes(len) == []


def test_what_variables_held() -> None:
    def used(basket: Eager, items: list[int], name: str) -> int:
        return len(items) + len(name)

    spectrum = Spectrum(lambda path: path == __file__, values=True)
    spectrum.begin()
    used(Eager(), [1], "x" * 30)
    spectrum.end()
    spectrum.close()
    (held,) = (found for (_, name), found in spectrum.values.items() if name.endswith("used"))
    assert held == {
        "basket.": ["own", "total", "here", "later"], "items[]": ["list"], "name[]": ["str"],
    }  # fmt: skip

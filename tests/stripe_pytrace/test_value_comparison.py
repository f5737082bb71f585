"""What kept events see, compared with the recorded run."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import stripe
from stripe.backend import Comparing
from stripe.reduce.reading import from_json
from stripe_pytrace.agent.values.content import Content
from tests.support.recordings import recorded


def slices(folder: Path, text: str, **options: Any) -> tuple[str, stripe.CriticalSlice]:
    """The kept events, and the slice, of a program's standard output."""
    (folder / "prog.py").write_text(text)
    result = stripe.trace("prog.py", directory=folder, watch=False, **options)
    (found,) = result.slices
    return " ".join(map(result.trace.name, found.events)), found


NOTHING_RETURNED = """\
def rate(x):
    return 0
r = rate(5)
if not r:
    print("no rate")
"""

NOTHING_IS_ANY = """\
def big(x):
    return x > 3
print(any(big(x) for x in [1, 2]))
"""

NOTHING_IN_A_DICT = """\
settings = {}
settings["debug"] = 0
level = settings.get("debug")
for each in range(2):
    if not level:
        print("quiet", each)
"""

MISLED = {
    # What only the function returned is None without it, and that is as false.
    "returned": (NOTHING_RETURNED, "1_1 3_2 4_4 5_5", "1_1 3_2 2_3 4_4 5_5"),
    "any": (NOTHING_IS_ANY, "1_1 3_2", "1_1 3_2 2_3 2_4"),
    "dict": (
        NOTHING_IN_A_DICT,
        "1_1 3_3 4_4 5_5 6_6 4_7 5_8 6_9",
        "1_1 2_2 3_3 4_4 5_5 6_6 4_7 5_8 6_9",
    ),
}


@pytest.mark.parametrize("name", MISLED)
def test_slices_that_mislead_do_not_with_the_same_values(tmp_path: Path, name: str) -> None:
    text, free, same = MISLED[name]
    kept, found = slices(tmp_path, text, control="program", values="free")
    assert kept == free
    assert found.others
    kept, found = slices(tmp_path, text, control="program", values="same")
    assert kept == same
    assert found.others == {}
    assert (found.certified, found.verified) == (True, True)
    assert found.looks >= 2


DRAWN = """\
import random
random.seed(3)
prices = [random.randint(1, 99) for _ in range(30)]
total = 0
high = []
for price in prices:
    if price > 90:
        high.append(price)
    total += price
print("high", len(high))
print("total", total)
"""


def test_a_slice_of_values_that_never_were_is_only_the_first_answer(tmp_path: Path) -> None:
    """Any prices do that are as many, but those are not what somebody wants to look at."""
    (tmp_path / "prog.py").write_text(DRAWN)
    result = stripe.trace("prog.py", directory=tmp_path, check="stdout:/^high/")
    (found,) = result.slices
    lines = {line for _, line in found.lines(result.trace)}
    assert 2 in lines
    assert not {4, 9, 11} & lines
    assert found.same
    assert found.certified
    assert found.others == {}
    assert found.freer is not None
    assert len(found.freer.events) < len(found.events)
    assert "values         as in the run; with others" in stripe.render(result)
    assert from_json(result.to_json()).slices[0].freer == found.freer
    assert stripe.verify(result).holds
    # The budget was for the first search only:
    (short,) = stripe.trace(
        "prog.py", directory=tmp_path, check="stdout:/^high/", max_tests=found.freer.tests + 5
    ).slices
    assert (short.events, short.certified, short.same) == (found.freer.events, True, False)


INCIDENTAL = """\
class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def take(self, amount):
        self.balance -= amount
        self.log.append(amount)

account = Account(9)
account.take(4)
print(account.balance)
"""


def test_values_on_which_nothing_depends_do_not_matter(tmp_path: Path) -> None:
    """The account has no log in the slice; who prints the balance does not ask for one."""
    kept, found = slices(tmp_path, INCIDENTAL)
    assert found.others
    assert not found.same
    assert found.freer is None
    assert kept == slices(tmp_path, INCIDENTAL, values="free")[0]


def test_a_certificate_is_about_reductions_that_keep_values(tmp_path: Path) -> None:
    text = "a = 5\na = 0\nb = 7\nif not a:\n    print('none')\n"
    assert slices(tmp_path, text, values="same")[0] == "5_5"
    assert slices(tmp_path, text, values="same", control="program")[0] == "2_2 4_4 5_5"


@contextlib.contextmanager
def differing(folder: Path, text: str) -> Iterator[Callable[..., dict[str, Any]]]:
    """A function that tells what other events see without those named, by their names."""
    with recorded(folder, text) as recording:
        assert isinstance(recording, Comparing)
        trace = recording.trace

        def without(*gone: str, **how: bool) -> dict[str, Any]:
            events = [event for event in range(len(trace)) if trace.name(event) not in gone]
            found = recording.differences(events, **how)
            return {trace.name(event): dict(seen) for event, seen in found.items()}

        yield without


def test_what_is_read_written_returned_and_decided(tmp_path: Path) -> None:
    text = """\
a = 2
def double(n):
    return n + n
class Box:
    def __init__(self):
        self.held = [1]
        self.other = 5
box = Box()
box.held.append(a)
a += 1
if a > 2:
    a = double(a)
for each in [a]:
    pass
x = box.other
"""
    with differing(tmp_path, text) as without:
        for fresh in (False, True):
            assert without("10_9", fresh=fresh) == {
                "11_10": {"a": ("3", "2"), "the condition": ("True", "False")},
                "3_12": {"n": ("3", "2"), "the returned value": ("6", "4")},
                "12_11": {"a": ("6", "4")},
                "13_13": {"a": ("6", "4"), "each": ("6", "4")},
            }
        assert without("9_8") == {}  # nobody looks at what is in the box
        assert without("7_7")["15_16"] == {"x": ("5", "not seen")}


def test_of_an_assert_what_the_program_reads_and_no_more(tmp_path: Path) -> None:
    text = "def double(n):\n    return 2 * n\nx = 1\nx = 2\nassert double(x) > x, x\n"
    with differing(tmp_path, text) as without:
        assert without("4_3") == {
            "5_4": {"x": ("2", "1"), "double(...)": ("4", "2")},
            "2_5": {"n": ("2", "1"), "the returned value": ("4", "2")},
        }


def test_loops_by_the_number_of_items_and_methods_by_what_they_are_called_of(
    tmp_path: Path,
) -> None:
    text = """\
xs = [1]
xs.append(2)
for x in xs:
    pass
match len(xs):
    case 2:
        pass
    case _:
        pass
xs.pop()
a = {"k": 1}
a["k"] += 1
"""
    with differing(tmp_path, text) as without:
        assert without("2_2") == {
            "3_3": {"len(xs)": ("2", "1")},
            "3_5": {"an item": ("True", "False"), "x": ("2", "not seen")},
            "5_8": {"xs": ("[1, 2]", "[1]"), "len(...)": ("2", "1"), "the case": ("1", "2")},
            "10_10": {"xs": ("[1, 2]", "[1]")},
        }
        assert without("11_11") == {"12_12": {"a['k']": ("2", "not seen")}}
        assert "3_5" in without("2_2", strict=True)


def test_what_differs_from_run_to_run_is_not_compared(tmp_path: Path) -> None:
    text = (
        "import time, os\na = time.time()\nb = os.getpid(), id(a)\nc = object()\nd = 1\nprint(3)\n"
    )
    with differing(tmp_path, text) as without:
        assert without("5_5") == {}


def test_values_of_functions_left_out_are_told_as_in_the_run(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(NOTHING_RETURNED)
    result = stripe.trace("prog.py", directory=tmp_path, control="program")
    found = result.slices[0]
    names = {result.trace.name(event): found.held(event) for event in found.events}
    assert names["3_2"] == {"r": "0 in the run, None in the slice"}
    assert "values         2 of 4 kept events saw others" in stripe.render(result)
    assert "other values: 3_2: r was 0 in the run, is None" in stripe.render(result)


# -- contents


class Loud:
    """Complains whenever its own code is called."""

    def __init__(self) -> None:
        self.here = [1]

    def __repr__(self) -> str:
        raise AssertionError

    __str__ = __bool__ = __len__ = __iter__ = __index__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __hash__(self) -> int:
        raise AssertionError

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


class Slotted:
    __slots__ = ("a", "b")
    a: Any
    b: Any


class Texts(dict[str, int]):
    def items(self) -> Any:
        raise AssertionError

    __iter__ = __len__ = items


def digest(value: Any) -> int:
    return Content(lambda kind: kind.__module__ == __name__).digest(value)


def test_contents_are_the_same_if_they_are() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    ring: list[Any] = [1]
    ring.append(ring)
    assert digest(loop) == digest(ring) != digest([1, [1]])
    assert digest(loop) != digest([1, None])
    inner: list[Any] = []
    inner.append(inner)
    outer: list[Any] = [[]]
    outer[0].append(outer)
    assert digest([inner]) != digest(outer)  # it holds itself, or what holds it
    one, other = Loud(), Loud()
    assert digest([one]) == digest([other])
    vars_of = object.__getattribute__(other, "__dict__")
    vars_of["here"] = [2]
    assert digest([one]) != digest([other])
    slots, more = Slotted(), Slotted()
    assert digest(slots) == digest(more)
    more.b = 1
    assert digest(slots) != digest(more)
    assert digest(Texts(a=1)) == digest(Texts(a=1)) != digest(Texts(a=2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True), (0, False), (0, None), (0, 0.0), (0.0, -0.0), ("a", b"a"), ([], ()), ({}, set()),
        ("a" * 5000, "a" * 4999 + "b"), (-1, -2), ({-1}, {-2}), ([1], [1, 1]), (int, float),
        (range(3), range(4)), (ValueError(1), ValueError(2)), (10**400, 10**400 + 1),
        ([0] * 5000, [0] * 4999 + [1]), (bytearray(b"a"), bytearray(b"b")), (len, print),
        (slice(1), slice(2)), ({1: 2}.items(), {1: 3}.items()),
    ],
)  # fmt: skip
def test_contents_differ_if_they_do(one: Any, other: Any) -> None:
    assert digest(one) != digest(other)
    assert digest([one]) != digest([other])


def test_addresses_and_what_is_deep_do_not_count() -> None:
    assert digest(object()) == digest(object())
    assert digest(iter([1])) == digest(iter([2]))
    assert digest([[[[[[1]]]]]]) == digest([[[[[[2]]]]]])
    assert digest({"b", "a"}) == digest({"a", "b"})
    assert digest(print) == digest(print)


def test_nothing_is_kept_alive_nor_changed() -> None:
    each = Slotted()
    each.a = iter([1, 2])
    held = type("Held", (), {})
    gone = weakref.ref(held)
    digest([each, held(), each.a])
    assert list(each.a) == [1, 2]
    del held
    gc.collect()
    assert gone() is None


def test_looking_at_a_long_run_takes_longer_than_replaying_it(tmp_path: Path) -> None:
    """It ended at the limit of replays, and nobody could tell what 100,000 events saw."""
    text = "total = 0\nfor i in range(20000):\n    total += i\n    total %= 1000\nprint(total)\n"
    with recorded(tmp_path, text) as recording:
        assert isinstance(recording, Comparing)
        runner = recording._runner
        everything = range(len(recording.trace))
        runner.timeout = runner.processor = 0.5
        assert recording.differences(everything) == {}

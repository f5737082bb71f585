"""What variables held: looking at them changes nothing and shows what a debugger would."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stripe.backend import Watching
from stripe.run_equality import difference
from stripe_pytrace.backend import PythonBackend
from tests.support import corpus
from tests.support.corpus import Program
from tests.support.recordings import recorded

TRACED = [each for each in corpus.programs() if each.name not in corpus.REFUSED]
STEP = int(os.environ.get("STRIPE_WATCH_STEP", "20"))
"""Of the programs of the corpus, every so many-th is tried here."""


def look(folder: Path, text: str, keep: set[str] | None = None) -> dict[str, dict[str, str]]:
    """What is seen at events, by their names, with all events kept or those named."""
    with recorded(folder, text) as recording:
        assert isinstance(recording, Watching)
        trace = recording.trace
        events = [e for e in range(len(trace)) if keep is None or trace.name(e) in keep]
        with recording.watch(events) as (observation, values):
            if keep is None:
                assert observation.stdout == recording.plain.stdout
                assert observation.stderr == recording.plain.stderr
                assert observation.status == recording.plain.status
            return {trace.name(event): dict(seen) for event, seen in values.items()}


def test_set_variables_are_shown_afterwards_and_others_before(tmp_path: Path) -> None:
    assert look(tmp_path, "a = 1\nb = a\na += b\ndel b\nprint(a)\n") == {
        "1_1": {"a": "1"},
        "2_2": {"b": "1", "a": "1"},
        "3_3": {"a": "2", "b": "1"},
        "4_4": {"b": "1"},
        "5_5": {"a": "2"},
    }


def test_headers(tmp_path: Path) -> None:
    text = """\
def f(n):
    while n > 1:
        n -= 1
    for i in range(n):
        pass
    if n: x = n
    match n:
        case 1 as one: return one
print(f(2))
"""
    assert look(tmp_path, text) == {
        "2_3": {"n": "2"},
        "3_4": {"n": "1"},
        "2_5": {"n": "1"},
        "4_6": {"i": "0"},
        "6_9": {"n": "1"},
        "6_10": {"n": "1", "x": "1"},
        "7_11": {"n": "1", "one": "1"},
        "8_12": {"one": "1"},
    }


def test_only_kept_events_and_what_they_make_of_it(tmp_path: Path) -> None:
    assert look(tmp_path, "a = 1\na = 2\nprint(a)\n", {"1_1", "3_3"}) == {
        "1_1": {"a": "1"},
        "3_3": {"a": "1"},
    }


def test_unbound_names_and_names_of_inner_scopes(tmp_path: Path) -> None:
    text = """\
x = 9
a = [x for x in (1, 2)]
b = lambda x: x
try:
    print(missing)
except NameError:
    pass
"""
    assert look(tmp_path, text) == {"1_1": {"x": "9"}, "2_2": {"a": "[1, 2]"}}


def test_values_are_short_and_have_no_addresses(tmp_path: Path) -> None:
    text = """\
class C: pass
many = list(range(100000)); c = C(); text = "x" * 1000; big = 10 ** 9999
nested = [[[1]], {"k": (1,)}, set(), frozenset({1})]
recursive = []; recursive.append(recursive)
"""
    seen = {name: text for values in look(tmp_path, text).values() for name, text in values.items()}
    assert seen["many"] == "[0, 1, 2, 3, 4, 5, ...]"
    assert seen["c"] == "C()"
    assert seen["text"].startswith("'xxx")
    assert len(seen["text"]) == 80
    assert seen["big"] == "<an integer of 33216 bits>"
    assert seen["nested"] == "[[[...]], {'k': (...)}, set(), frozenset({1})]"
    assert seen["recursive"] == "[[[...]]]"


def test_objects_are_shown_without_their_own_code(tmp_path: Path) -> None:
    text = """\
from dataclasses import dataclass
class Own:
    def __init__(self): self.inner = [1, 2]
    def __repr__(self): print("never called")
@dataclass
class Point: x: int; y: int
class Empty: pass
own = Own(); many = [own, Empty()]
point = Point(1, 2)
"""
    seen = {name: text for values in look(tmp_path, text).values() for name, text in values.items()}
    assert seen == {
        "self": "Own(inner=[1, 2])",
        "own": "Own(inner=[1, 2])",
        "many": "[Own(inner=[...]), Empty()]",
        "point": "Point(x=1, y=2)",
    }


def test_a_repr_that_fails(tmp_path: Path) -> None:
    text = """\
import ctypes
class Bad: pass
Bad.__repr__ = eval("lambda self: 1 / 0")
bad = Bad()
"""
    assert {"bad": "<repr() raised ZeroDivisionError>"} in look(tmp_path, text).values()


@pytest.mark.parametrize("program", TRACED[::STEP], ids=lambda program: program.name)
def test_looking_changes_nothing(program: Program, tmp_path: Path) -> None:
    recording = PythonBackend().record(program.place(tmp_path))
    try:
        assert isinstance(recording, Watching)
        with recording.watch(range(len(recording.trace))) as (observation, _):
            assert (observation.end, observation.status) == (
                recording.plain.end,
                recording.plain.status,
            )
            assert observation.stdout == recording.plain.stdout
            assert observation.stderr == recording.plain.stderr
    finally:
        recording.close()


@pytest.mark.parametrize(
    ("failing", "told"),
    [
        ("x = 1 / (len(items) - 2)", ["items", "len(items)", "len(items) - 2"]),
        ("return shop.owner.name.upper()", ["shop", "shop.owner"]),
        ("print(table[key.strip()], file=None)", ["table", "key", "key.strip()"]),
        ("items[\n        len(key)\n    ] += 1", ["items", "key", "len(key)"]),
        ("while -len(items) + key: pass", ["items", "len(items)", "-len(items)", "key"]),
        ("if not items[0:5] or key + 1: pass", ["items", "items[0:5]", "not items[0:5]", "key"]),
        ("for each in shop.owner: pass", ["shop", "shop.owner"]),
        ("a, items[9] = key[0], table['b']", ["key", "key[0]", "table"]),
        ("key.missing(*[x.y for x in items])", ["key"]),
        ("return 'ä' + items[0]", ["items", "items[0]"]),
        ("b: shop.x = table['é']", ["table"]),
        ("assert items == table", []),
        ("raise KeyError(items[0])", []),
    ],
)
def test_the_parts_of_what_failed_in_the_order_in_which_they_were_computed(
    tmp_path: Path, failing: str, told: list[str]
) -> None:
    text = f"""\
class Shop: owner = None
def f(shop, items, table, key):
    {failing}
f(Shop(), [1, 2], {{"a": 1}}, " b ")
"""
    with recorded(tmp_path, text) as recording:
        assert isinstance(recording, Watching)
        raised = recording.recorded.exception
        assert raised is not None
        assert raised.event is not None
        with recording.watch(range(len(recording.trace))) as (observation, values):
            seen = list(values.get(raised.event, {}))
            assert difference(recording.recorded, observation) is None
            assert observation.stderr == recording.plain.stderr, "with the marks below the line"
    if told:
        assert seen[-len(told) :] == told
    else:
        assert all(name.isidentifier() for name in seen)


def test_of_too_much_to_tell_the_last_values_are_told(tmp_path: Path) -> None:
    """It was the first ones, which are farthest from where a run fails."""
    text = "for i in range(16000):\n    a = 'x' * 90 + str(i)\n    b = a\nlast = b[-5:]\n"
    with recorded(tmp_path, text) as recording:
        assert isinstance(recording, Watching)
        total = len(recording.trace)
        with recording.watch(range(total)) as (_, values):
            assert dict(values[total - 1])["last"] == "'15999'"
            assert 0 < len(values) < total

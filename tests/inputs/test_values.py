"""What can be taken apart, and that the answers for it are right: against all there are."""

from __future__ import annotations

import array
import collections
import copy
import itertools
from collections import namedtuple
from enum import Enum
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.inputs import DeltaDebugger
from stripe.inputs.calls.values import NotPlain, Tree, key

Point = namedtuple("Point", "x y")


class Ring(list):
    """A list with an attribute, and a constructor of its own."""

    def __init__(self, name: str, items: Any) -> None:
        super().__init__(items)
        self.name = name


class Route:
    """A sequence that nobody taught anything but a length, elements and addition."""

    def __init__(self, stops: Any = ()) -> None:
        self.stops = tuple(stops)

    def __len__(self) -> int:
        return len(self.stops)

    def __getitem__(self, index: Any) -> Any:
        return self.stops[index]


class Text(str):
    pass


class Colour(str, Enum):  # noqa: UP042
    RED = "red"


def all_bad(value: Any, parts: int) -> None:
    """Fails if there are two elements, and the value is as it should be."""
    assert type(value).__name__ in str(type(value))
    if len(value) >= parts:
        raise ValueError(type(value).__name__)


@pytest.mark.parametrize(
    "value",
    [
        "abcdef",
        b"abcdef",
        bytearray(b"abcdef"),
        [1, 2, 3, 4, 5],
        (1, 2, 3, 4, 5),
        {1, 2, 3, 4, 5},
        frozenset("abcdef"),
        {"a": 1, "b": 2, "c": 3},
        collections.deque([1, 2, 3, 4], maxlen=9),
        collections.OrderedDict(a=1, b=2, c=3),
        collections.defaultdict(list, a=[1], b=[2], c=[]),
        collections.Counter("aabbc"),
        collections.UserList([1, 2, 3, 4]),
        collections.UserDict({"a": 1, "b": 2, "c": 3}),
        collections.UserString("abcdef"),
        array.array("d", [1, 2, 3, 4]),
        Ring("outer", [1, 2, 3, 4]),
        Route([1, 2, 3, 4]),
        Text("abcdef"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_two_elements_are_left_of_any_collection(value: Any) -> None:
    before = copy.deepcopy(value)
    with DeltaDebugger(depth=1) as dd:
        all_bad(value, 2)
    reduced = dd.min_args()["value"]

    assert type(reduced) is type(value)
    assert len(reduced) == 2
    assert vars(reduced).keys() == vars(value).keys() if hasattr(value, "__dict__") else True
    assert sorted(map(repr, value)) == sorted(map(repr, before))


@pytest.mark.parametrize(
    "value",
    [1, 2.5, None, range(9), memoryview(b"abc"), object(), int, Colour.RED, iter([1, 2])],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_kept_whole(value: Any) -> None:
    def fails(value: Any) -> None:
        raise ValueError(str(value)[:3])

    with DeltaDebugger() as dd:
        fails(value)
    assert type(dd.min_args()["value"]) is type(value)
    assert dd.tests == 1


def test_attributes_of_collections_are_kept() -> None:
    def fails(ring: Ring) -> None:
        if ring.name == "outer" and 3 in ring:
            raise ValueError

    with DeltaDebugger() as dd:
        fails(Ring("outer", [1, 2, 3, 4]))
    reduced = dd.min_args()["ring"]
    assert (reduced.name, list(reduced)) == ("outer", [3])


def test_nested_data_is_reduced_in_depth() -> None:
    data = {
        "name": "report",
        "rows": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["c", "hot", "d"]}],
        "size": (1, [2, 3]),
        "at": Point([1, 2], "xyz"),
    }

    def load(document: dict[str, Any]) -> None:
        rows = document.get("rows", [])
        if any("hot" in tag for row in rows for tag in row.get("tags", ())) and "at" in document:
            raise ValueError("hot")

    with DeltaDebugger() as dd:
        load(data)
    assert dd.min_args() == {"document": {"rows": [{"tags": ["hot"]}], "at": Point([], "")}}
    assert dd.certified
    with DeltaDebugger(depth=1) as dd:
        load(data)
    assert dd.min_args()["document"].keys() == {"rows", "at"}


def test_depth_costs_little_where_all_is_needed() -> None:
    needed = {f"word {number}" for number in range(0, 90, 3)}

    def fails(rows: list[list[str]]) -> None:
        if needed <= {word for row in rows for word in row}:
            raise KeyError("words")

    words = [f"word {number}" for number in range(90)]
    with DeltaDebugger(isolate=False, depth=2) as dd:
        fails([words[start : start + 6] for start in range(0, 90, 6)])
    assert sorted(word for row in dd.min_args()["rows"] for word in row) == sorted(needed)
    assert dd.certified
    assert dd.tests <= 300


def test_what_lies_deeper_may_free_what_lies_above() -> None:
    def fails(rows: list[str]) -> None:
        # A second row is needed only as long as the first has an x.
        if rows and "y" in rows[0] and ("x" not in rows[0] or len(rows) > 1):
            raise ValueError

    with DeltaDebugger() as dd:
        fails(["xy", "z"])
    assert dd.min_args() == {"rows": ["y"]}


def test_values_that_hold_themselves() -> None:
    loop: list[Any] = [1, 2]
    loop.append(loop)

    def fails(value: list[Any]) -> None:
        if value and value[-1] is not value:
            raise ValueError
        if len(value) > 1:
            raise ValueError

    with DeltaDebugger() as dd:
        fails(loop)
    assert len(dd.min_args()["value"]) == 1


def test_the_same_object_twice_stays_the_same() -> None:
    shared = [1, 2]

    def fails(one: Any, other: Any) -> None:
        one = [one] if not isinstance(one, list) else one
        if one is other or len(one) == 2:
            raise ValueError

    def is_same(one: Any, other: Any) -> None:
        if one is other:
            raise ValueError

    with DeltaDebugger() as dd:
        is_same(shared, shared)
    assert dd.min_args() == {"one": [1, 2], "other": [1, 2]}
    with DeltaDebugger() as dd:
        fails(shared, shared)
    args = dd.args()
    assert args["one"] is args["other"]
    assert shared == [1, 2]


# --- properties ---------------------------------------------------------------------------------

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=True)
DATA = st.recursive(
    SCALARS | st.text("ab", max_size=4) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("kl", max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(DATA)
def test_a_tree_builds_what_it_was_made_of(value: Any) -> None:
    tree = Tree(value)
    assert key(tree.build(tree.everything)) == key(value)
    assert all(owner is None or owner < part for part, owner in enumerate(tree.parents))


@given(DATA, DATA)
def test_keys_tell_values_apart(one: Any, other: Any) -> None:
    assert key(one) == key(copy.deepcopy(one))
    assert (key(one) == key(other)) == (repr(one) == repr(other))


def test_keys_know_their_limits() -> None:
    assert key([1]) != key([True])
    assert key([0.0]) != key([-0.0])
    assert key({1, 2}) == key({2, 1})
    with pytest.raises(NotPlain):
        key([collections.deque([1])])
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotPlain):
        key(loop)


def subsets(value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return [part for n in range(len(value) + 1) for part in itertools.combinations(value, n)]


# Any function at all of two short tuples: which pairs of subsets fail, which are unresolved.
PREDICATES = st.tuples(
    st.integers(0, 4), st.integers(0, 3), st.randoms(use_true_random=False), st.floats(0, 1)
)


@settings(max_examples=25)
@given(PREDICATES)
def test_no_single_part_more_can_go(case: Any) -> None:
    first, second, random, often = case
    one, other = tuple(range(first)), tuple(range(second))
    table = {
        pair: random.choices(["fail", "pass", "broken"], [often, 1 - often, 0.3])[0]
        for pair in itertools.product(subsets(one), subsets(other))
    }
    table[one, other] = "fail"

    def function(one: tuple[int, ...], other: tuple[int, ...]) -> None:
        outcome = table[one, other]
        if outcome != "pass":
            raise ValueError if outcome == "fail" else KeyError

    def debugger() -> DeltaDebugger:
        with DeltaDebugger(isolate=False) as dd:
            function(one, other)
        return dd

    dd = debugger()
    found = dd.min_args()
    pair = found["one"], found["other"]
    assert dd.certified
    assert table[pair] == "fail"
    for smaller in neighbours(pair, ()):
        assert table[smaller] != "fail"

    passing_there_is = any(outcome == "pass" for outcome in table.values())
    try:
        passing, failing, difference = debugger().min_arg_diff()
        largest = debugger().max_args()
    except ValueError:  # NotPassingError
        emptied = [((), other), (one, ()), ((), ())]
        assert not passing_there_is or all(table[pair] != "pass" for pair in emptied)
        return
    assert table[largest["one"], largest["other"]] == "pass"
    for larger in neighbours((largest["one"], largest["other"]), (one, other)):
        assert table[larger] != "pass"
    assert table[passing["one"], passing["other"]] == "pass"
    assert table[failing["one"], failing["other"]] == "fail"
    for name in ("one", "other"):
        assert set(passing[name]) <= set(failing[name])
        assert set(failing[name]) - set(passing[name]) == set(difference.get(name, ()))
        for part in difference.get(name, ()):
            more = {**passing, name: tuple(sorted({*passing[name], part}))}
            less = {**failing, name: tuple(sorted({*failing[name]} - {part}))}
            assert table[more["one"], more["other"]] != "pass"
            assert table[less["one"], less["other"]] != "fail"


def neighbours(pair: tuple[Any, Any], whole: tuple[Any, ...]) -> Any:
    """Every pair with one part less or, within `whole`, one part more."""
    for side in (0, 1):
        changes: set[tuple[int, ...]] = set()
        if whole:
            changes = {tuple(sorted({*pair[side], part})) for part in whole[side]} - {pair[side]}
        else:
            changes = {tuple(p for p in pair[side] if p != part) for part in pair[side]}
        for change in changes:
            yield (change, pair[1]) if side == 0 else (pair[0], change)


class Pair(NamedTuple):
    one: list[int]
    other: tuple[object, ...]


def test_fields_stay_and_what_is_in_them_goes() -> None:
    tree = Tree(Pair([1, 2], ([3], "ab")))
    every = tuple(tree.build([part]) for part in range(len(tree.parents)))
    assert tree.build([]) == Pair([], ())
    assert every[:3] == (Pair([1], ()), Pair([2], ()), Pair([], ([],)))
    without = [
        tree.build([each for each in range(len(tree.parents)) if each != part]) for part in (0, 1)
    ]
    assert without == [Pair([2], ([3], "ab")), Pair([1], ([3], "ab"))]

"""Causes that make the next one, and variables that are the same: Why Programs Fail, A.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.dd import Outcome
from stripe.results.causes import CausesResult, Shown
from stripe.snapshots import Call, Later, Moment
from stripe.states import Content, Kind, Operation, Place, Step
from stripe.states.causes import find_causes
from stripe.states.goals import Aim, Goal
from stripe.states.moments import Match, Places
from tests.states.memory import atom, pointer, unfolded, variable


def searched(directory: Path, text: str, failing: str, passing: str, **options) -> CausesResult:
    from stripe.cli.causes import read_input

    (directory / "prog.py").write_text(text)
    return find_causes(
        "prog.py",
        failing=read_input("--fail", failing),
        passing=read_input("--pass", passing),
        check="exception",
        directory=directory,
        **options,
    )


def steps(result: CausesResult) -> list[str]:
    return [" ".join(each.name for each in cause.variables) for cause in result.steps]


# --- goals --------------------------------------------------------------------------------------

LATER = Later((Call("f", "p.py", 1),), 1)


def state(**values):
    places = {name: Place(name, "int") for name in values}
    return unfolded(places, {places[name]: atom(value) for name, value in values.items()})


def goal(failing, *names, adjusted=False):
    paths = [(variable(name),) for name in names]
    return Goal(Aim(1, tuple(paths), (adjusted,) * len(paths)), LATER, failing)


@pytest.mark.parametrize(
    ("reached", "fails", "passes"),
    [
        (state(a=1, b=2), Outcome.FAIL, Outcome.UNRESOLVED),
        (state(a=1, b=3), Outcome.UNRESOLVED, Outcome.UNRESOLVED),
        (state(a=0, b=3), Outcome.UNRESOLVED, Outcome.PASS),
        (state(a=0), Outcome.UNRESOLVED, Outcome.PASS),
        (None, Outcome.UNRESOLVED, Outcome.PASS),
    ],
)
def test_a_failing_run_brings_about_all_and_a_passing_one_nothing(reached, fails, passes):
    aim = goal(state(a=1, b=2), "a", "b")
    assert aim.judge(Outcome.FAIL, reached) is fails
    assert aim.judge(Outcome.PASS, reached) is passes
    assert aim.judge(Outcome.UNRESOLVED, reached) is Outcome.UNRESOLVED


def test_what_is_only_referred_to_is_compared_by_what_else_refers_to_it():
    """Both cells hold the same."""
    cells = {name: Place(name, "cell") for name in "ab"}
    target = Operation(Step.TARGET)

    def pointing(to):
        place = Place("x", "cell *")
        memory = {each: Content(Kind.RECORD) for each in cells.values()}
        return unfolded({**cells, "x": place}, {**memory, place: pointer(cells[to])})

    aim = Goal(Aim(1, ((variable("x"), target),), (True,)), LATER, pointing("a"))
    assert aim.equal(pointing("a"), pointing("a")) == [True]
    assert aim.equal(pointing("a"), pointing("b")) == [False]


def test_later_moments_are_counted_from_the_one_where_the_state_is_changed():
    f, g = (Call("f", "p.py", 1),), (Call("f", "p.py", 2),)
    moments = [(Moment("p.py", 1, 1), f), (Moment("p.py", 2), g), (Moment("p.py", 1, 2), f)]
    places = Places(moments)
    match = Match(Moment("p.py", 1, 2), Moment("p.py", 1, 2), f, 2)
    assert places.later(Moment("p.py", 2), match) == Later(f, 1)
    assert places.later(Moment("p.py", 1), match) == Later(f, 1)


# --- links of real runs -------------------------------------------------------------------------

TWO_WAYS = """\
import sys
first, second = sys.argv[1:]
one = first == "bad"
two = second == "bad"
state = 0
if one:
    other = 1
else:
    other = 0
del one
if two:
    state = 1
del two
left = state
right = other
assert not (left or right)
"""


def test_each_cause_makes_the_next_one(tmp_path: Path) -> None:
    """A cause-effect chain (A.3): of two words that are each enough, it follows one."""
    result = searched(tmp_path, TWO_WAYS, "bad bad", "x y")
    assert [each.shown for each in result.links] == [Shown.VALUES] * (len(result.steps) - 1)
    chains = (["first", "one", "other", "right"], ["second", "two", "state", "left"])
    assert steps(result) in chains


def test_a_cause_that_only_changes_the_next_one_is_told_so(tmp_path: Path) -> None:
    """Where it alone is changed, the next variable has a value that is in neither run."""
    program = """\
import sys
sign, size = sys.argv[1], int(sys.argv[2])
amount = -size if sign == "-" else size
del sign, size
assert amount > 0
"""
    result = searched(tmp_path, program, "- 5", "+ 3")
    assert steps(result) == ["sign", "amount"]
    (link,) = result.links
    assert (link.shown, link.without, link.within) == (Shown.CHANGES, ("3",), ("-3",))


def test_a_backend_that_cannot_follow_runs_proves_nothing(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("stripe.states.search.Following", type("Nobody", (), {}))
    result = searched(tmp_path, TWO_WAYS, "bad y", "x y")
    assert len(result.steps) > 1
    assert result.links == ()


# --- variables that are the same ----------------------------------------------------------------

MOVES = """\
import sys

class Cell:
    pass

def work():
    each, other = Cell(), Cell()
    each.value = int(sys.argv[1])
    held = each.value
    each.value = 0
    each, other = other, each
    each.value = held
    held = 0
    return 1 // each.value

work()
"""


def test_another_thing_by_the_same_name_is_another_variable(tmp_path: Path) -> None:
    """``each.value`` is to blame at the beginning and at the end, but of two cells."""
    result = searched(tmp_path, MOVES, "0", "1")
    assert steps(result) == ["each.value", "held", "each.value"]


def test_a_thing_that_is_handed_on_under_another_name_is_the_same(tmp_path: Path) -> None:
    program = """\
import sys
def inner(numbers):
    rest = 5
    return rest // numbers[0]
def outer(values):
    rest = 4
    return inner(values)
outer([int(sys.argv[1])])
"""
    result = searched(tmp_path, program, "0", "1")
    assert [(a.backtrace[0].function) for a in result.chain][-1] == "inner"
    assert result.transitions == ()


def test_a_variable_that_is_set_anew_is_the_same(tmp_path: Path) -> None:
    program = """\
import sys
values = [int(each) for each in sys.argv[1:]]
values = sorted(values)
values = [each + 0 for each in values]
sum([1 // each for each in values])
"""
    result = searched(tmp_path, program, "5 0", "5 6")
    assert len({each for step in steps(result) for each in step.split("[")[:1]}) == 1


def test_without_identities_names_decide(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("stripe.states.sameness.Identifying", type("Nobody", (), {}))
    program = "import sys\nvalue = int(sys.argv[1])\nother = value\ndel value\n1 // other\n"
    assert steps(searched(tmp_path, program, "0", "1")) == ["value", "other"]


def test_a_variable_of_closures_can_be_changed(tmp_path: Path) -> None:
    """It is in two frames on the stack; changed in one, it is in the other as well."""
    program = """\
import sys
def make(n):
    def get():
        return 1 // n
    n = n + 0
    return get()
make(int(sys.argv[1]))
"""
    result = searched(tmp_path, program, "0", "2")
    assert {cause.backtrace[0].function for cause in result.chain} >= {"make.<locals>.get"}
    assert result.undecided == {}


def test_what_can_be_said_of_anything(tmp_path: Path) -> None:
    """Hostile classes, generators, exceptions in flight, asynchronous code, and writes before."""
    program = """\
import asyncio, sys, socket, threading

class Meta(type):
    def __call__(cls, *words):
        return super().__call__(*words)

class Hostile(dict, metaclass=Meta):
    __class__ = property(lambda self: 1 / 0)
    def __iter__(self):
        raise RuntimeError
    __len__ = __eq__ = __getattr__ = __iter__
    __hash__ = None

class Slots(metaclass=Meta):
    __slots__ = ("value", "__dict__")
    def __setattr__(self, name, value):
        raise RuntimeError
    @property
    def half(self):
        return 1 // object.__getattribute__(self, "value")

async def later(slots):
    await asyncio.sleep(0)
    try:
        raise KeyError
    except KeyError:
        with open("written", "w") as stream:
            stream.write("x")
        held = [Hostile(), socket.socket(), threading.Lock(), (n for n in "ab"), open(__file__)]
        return slots.half, held

slots = Slots()
object.__setattr__(slots, "value", int(sys.argv[1]))
asyncio.run(later(slots))
"""
    result = searched(tmp_path, program, "0", "2")
    assert "slots.value" in steps(result)
    assert result.chain[-1].backtrace[0].function == "Slots.half"
    assert [note for note in result.notes if "Not looked into, and never changed" in note]
    assert all(each.shown is Shown.VALUES for each in result.links)

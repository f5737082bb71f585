"""Changes of states as commands that a person types into pdb and gdb."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stripe.snapshots import Call, Moment
from stripe.states import Content, Kind, Operation, Place, Step, differences, plan, unfold
from stripe.states.debugger_commands import debugger_commands
from tests.states.answers import state
from tests.stripe_gdb.native import build, needs_cc, needs_gdb

EXAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"


def commands(debugger: str, passing, failing, *only: str, line: int = 3, occurrence: int = 1):
    """Those for all differences, or some by name."""
    found = differences(passing, failing)
    numbers = [each.number for each in found.deltas if not only or each.name in only]
    moment = Moment("prog.py", line, occurrence)
    backtrace = (Call("f", "prog.py", line), Call("<module>", "prog.py", 9))
    return debugger_commands(debugger, found, plan(found, numbers), moment, backtrace)


SHARED = [1, 2]


@pytest.mark.parametrize(
    ("passing", "failing", "typed"),
    [
        ({"n": 4}, {"n": 3}, ["n = 3"]),
        ({"a": [1, 2, 3]}, {"a": [1, 5, 3]}, ["a[1] = 5"]),
        ({"a": [1, 2, 3]}, {"a": [1, 3]}, ["a[:] = [1, 3]"]),
        ({"a": [[1], 2]}, {"a": [[1], 2, 7]}, ["a[:] = [a[0], 2, 7]"]),
        ({"d": {"x": 1, "y": 2}}, {"d": {"y": 3, "z": [4]}},
         ["del d['x']", "d['y'] = 3", "d['z'] = [4]"]),
        ({"a": None}, {"a": {"k": [1, {"m": "two"}]}}, ["a = {'k': [1, {'m': 'two'}]}"]),
        ({"a": SHARED, "b": [1, 3]}, {"a": SHARED, "b": SHARED}, ["b = a"]),
    ],
)  # fmt: skip
def test_what_is_typed_makes_the_other_state(passing, failing, typed) -> None:
    """Each is executed as pdb does it."""
    made = commands("pdb", state({"f": passing}), state({"f": failing}))
    assert made.commands == (
        "tbreak prog.py:3",
        "continue",
        *(f"!{each}" for each in typed),
        "continue",
    )
    variables: dict[str, Any] = dict(passing)
    for each in typed:
        exec(each, {}, variables)
    assert variables == failing


TWICE: list[int] = []


@pytest.mark.parametrize(
    ("passing", "failing", "why"),
    [
        ({"n": 0.5}, {"n": float("inf")}, "inf cannot be written as a literal"),
        ({"n": "a"}, {"n": "a;;b"}, "it has signs in it that mean something else to pdb"),
        ({"n": 1}, {"n": range(3)}, "a value of range cannot be written as a literal"),
        ({"a": 0, "b": 0}, {"a": TWICE, "b": TWICE}, "a new object is referred to more than once"),
        ({"a": SHARED, "b": [1, 3], "n": 1}, {"a": SHARED, "b": SHARED, "n": 2},
         "references and other variables change at once"),
        ({"a": 0}, {"a": [[[[[[[1]]]]]]]}, "it would be too long to be typed"),
        ({f"v{n}": 0 for n in range(30)}, {f"v{n}": 1 for n in range(30)},
         "it would be too long to be typed"),
    ],
)  # fmt: skip
def test_what_cannot_be_typed_is_said(passing, failing, why) -> None:
    made = commands("pdb", state({"f": passing}), state({"f": failing}))
    assert (made.commands, made.why) == ((), why)


def test_variables_of_an_outer_call_are_not_typed() -> None:
    made = commands(
        "pdb", state({"f": {"k": 1}, "main": {"n": 4}}), state({"f": {"k": 1}, "main": {"n": 3}})
    )
    assert made.why == "it changes variables of another call or module"


def test_a_later_execution_is_waited_for() -> None:
    made = commands("pdb", state({"f": {"n": 4}}), state({"f": {"n": 3}}), occurrence=3)
    assert made.commands[:3] == ("tbreak prog.py:3", "ignore 1 2", "continue")
    made = commands("gdb", state({"f": {"n": 4}}), state({"f": {"n": 3}}), occurrence=3)
    assert made.why == "gdb does not count executions of a line as moments are counted"


def module(variables: dict[str, str], local: dict[str, str]):
    """A state with the global variables of the program."""
    known: dict[Place, Content] = {}

    def place(name: str, text: str) -> Place:
        where = Place(name, "int")
        known[where] = Content(Kind.ATOM, text, text=text)
        return where

    bases = {}
    for step, key, some in ((Step.FRAME, "", local), (Step.MODULE, "__main__", variables)):
        parts = [
            (Operation(Step.VARIABLE, name), place(f"{key}{name}", text))
            for name, text in some.items()
        ]
        bases[Operation(step, key)] = Place(key, "m")
        known[Place(key, "m")] = Content(Kind.RECORD, parts=parts)
    return unfold(bases, known.__getitem__)


def test_a_global_variable_is_declared() -> None:
    made = commands("pdb", module({"n": "4"}, {}), module({"n": "3"}, {}))
    assert made.commands[2] == "!global n; n = 3"
    made = commands("pdb", module({"n": "4"}, {"n": "1"}), module({"n": "3"}, {"n": "1"}))
    assert made.why == "a variable of the innermost call has the same name"


def container(kind: Kind, type_: str, step: Step, *keys: Any):
    """A variable `a` with parts that have no more than their keys."""
    known = {Place(key, "int"): Content(Kind.ATOM, True, text="True") for key in keys}
    parts = [(Operation(step, key), Place(key, "int")) for key in keys]
    known[Place("&a", type_)] = Content(kind, parts=parts)
    frame = Place("frame", "f")
    parts = [(Operation(Step.VARIABLE, "a"), Place("&a", type_))]
    known[frame] = Content(Kind.RECORD, parts=parts)
    return unfold({Operation(Step.FRAME, ""): frame}, known.__getitem__)


def test_members_of_sets_come_and_go() -> None:
    made = commands(
        "pdb", *(container(Kind.MAPPING, "set", Step.KEY, *some) for some in ("12", "23"))
    )
    assert made.commands[2:-1] == ("!a.discard(1)", "!a.add(3)")


def test_keys_that_are_no_literals_are_not_typed() -> None:
    made = commands(
        "pdb", *(container(Kind.MAPPING, "dict", Step.KEY, *some) for some in ((), ("Colour.RED",)))
    )
    assert made.why == "Colour.RED cannot be written as a literal"


def run_in_pdb(commands: list[str], folder: Path, *words: str) -> str:
    typed = [word for each in (*commands, "quit") for word in ("-c", each)]
    return subprocess.run(
        [sys.executable, "-m", "pdb", *typed, *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
        stdin=subprocess.DEVNULL,
    ).stdout  # fmt: skip


@pytest.mark.parametrize(
    ("line", "occurrence", "passing", "failing"),
    [
        (29, 1, {"argc": 4}, {"argc": 3}),
        (33, 1, {"a": [9, 8, 7]}, {"a": [9, 8, 0]}),
        (21, 2, {"value": 7}, {"value": 0}),
    ],
)
def test_pdb_does_what_is_typed(line, occurrence, passing, failing) -> None:
    """These are steps of the chain in docs/causes.md, each of which prints a 0 in front."""
    frames = state({"f": passing}), state({"f": failing})
    found = differences(*frames)
    numbers = [each.number for each in found.deltas]
    moment = Moment("shell_sort.py", line, occurrence)
    backtrace = (Call("main", "shell_sort.py", line), Call("<module>", "shell_sort.py", 40))
    made = debugger_commands("pdb", found, plan(found, numbers), moment, backtrace)
    printed = run_in_pdb(list(made.commands), EXAMPLES, "shell_sort.py", "9", "8", "7")
    assert any(each.startswith("0 ") for each in printed.splitlines()), printed


def block(*numbers: int):
    """A pointer to some numbers, in a call."""
    known: dict[Place, Content] = {}
    atoms = [Place(f"&{n}", "long") for n in range(len(numbers))]
    for where, number in zip(atoms, numbers, strict=True):
        known[where] = Content(Kind.ATOM, number, 8, str(number))
    array, pointer, frame = Place("block", "long[]"), Place("&a", "long *"), Place("main", "f")
    elements = [(Operation(Step.ELEMENT, n), where) for n, where in enumerate(atoms)]
    known[array] = Content(Kind.ARRAY, None, len(atoms), parts=elements)
    known[pointer] = Content(Kind.POINTER, "set", parts=[(Operation(Step.TARGET), array)])
    known[frame] = Content(Kind.RECORD, parts=[(Operation(Step.VARIABLE, "a"), pointer)])
    return unfold({Operation(Step.FRAME, ""): frame}, known.__getitem__)


@needs_gdb
@needs_cc
def test_gdb_does_what_is_typed(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "shell_sort.c", tmp_path)
    program = build(tmp_path / "shell_sort.c", tmp_path)
    found = differences(block(9, 8, 7), block(9, 8, 0))
    numbers = [each.number for each in found.deltas]
    moment, backtrace = Moment("shell_sort.c", 31), (Call("main", "shell_sort.c", 31),)
    made = debugger_commands("gdb", found, plan(found, numbers), moment, backtrace)
    assert made.commands == (
        "tbreak shell_sort.c:31", "run", "set var a[2] = 0", "continue",
    )  # fmt: skip
    typed = [word for each in made.commands for word in ("-ex", each)]
    printed = subprocess.run(
        ["gdb", "-nx", "-batch", *typed, "--args", program, "9", "8", "7"],
        capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    ).stdout  # fmt: skip
    assert "\n0 8 9\n" in printed, printed

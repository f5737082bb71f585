"""The rooms that are mutated, which tests are theirs, and which mutants are tried."""

from __future__ import annotations

import hashlib
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.operators import Mutation, mutations

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Room:
    """A folder, and the tests that are nearest to it.

    ``guests``: of what runs in other processes, the files with the nearest tests, by the
    beginnings of paths; the first one counts.  Tests of a file that are named by how they begin
    (``FILE::BEGINNING``) are nearest of all.
    """

    name: str
    folder: str
    tests: tuple[str, ...]
    guests: tuple[tuple[str, tuple[str, ...]], ...] = ()


# All but those that try random programs for minutes.
PYTRACE = tuple(
    f"tests/stripe_pytrace/test_{name}.py"
    for name in (
        "annotations",
        "asserting",
        "astray",
        "blocked",
        "cancel",
        "choosing",
        "corpus",
        "value_comparison",
        "fork_equals_fresh",
        "guard",
        "helpers_end",
        "interpreter",
        "limits",
        "memory",
        "new_in_the_language",
        "nothing_else",
        "once_refused",
        "raisers",
        "refusals",
        "replaying",
        "scope",
        "unknown",
        "unrecorded",
        "versions",
        "watch",
    )
)
GDB = tuple(
    f"tests/stripe_gdb/test_{name}.py"
    for name in (
        "calls",
        "cancel",
        "comparing",
        "compiling",
        "criteria",
        "effects",
        "elf",
        "failures",
        "filling",
        "helpers_end",
        "keeper",
        "parting",
        "ptrace",
        "refusals",
        "signals",
        "sources",
        "tracing",
        "tty",
        "variables",
        "walls",
    )
)

INSIDE = "tests/sandbox/test_inside.py"
SANDBOX_GUESTS = (
    ("stripe/sandbox/inside/witness.py", ("tests/sandbox/test_witness.py", INSIDE)),
    ("stripe/sandbox/inside/launcher.py", ("tests/sandbox/test_running.py", INSIDE)),
    (
        "stripe/sandbox/inside/",
        (INSIDE, "tests/sandbox/test_ending.py", "tests/sandbox/test_walls.py"),
    ),
)


def _pytrace(*names: str, test: str | None = None) -> tuple[str, ...]:
    """The files, or the tests in them that begin so."""
    which = "" if test is None else f"::{test}"
    return tuple(f"tests/stripe_pytrace/test_{name}.py{which}" for name in names)


def _of_agent(module: str) -> str:
    """A module of the agent, by its name or with its room; the whole agent for ``""``."""
    folder = "backends/stripe_pytrace/agent/"
    if not module:
        return folder
    (found,) = (ROOT / folder).glob(f"**/{module}.py")
    return str(found.relative_to(ROOT))


AGENT = _pytrace(
    "corpus",
    "value_comparison",
    "new_in_the_language",
    "once_refused",
    "raisers",
    "replaying",
    "unrecorded",
    "watch",
)
STATES = ("tests/stripe_pytrace/test_memory.py::", "tests/e2e/test_causes.py::")
PYTRACE_GUESTS = (
    (
        "backends/stripe_pytrace/activations.py",
        _pytrace("replaying", test="test_a_statement_is_resumed_"),
    ),
    ("backends/stripe_pytrace/state_runs.py", STATES),
    *(
        (_of_agent(module), STATES)
        for module in ("state_change", "memory", "line_events", "states")
    ),
    *(
        (_of_agent(module), (*first, *AGENT))
        for module, first in (
            ("annotations", _pytrace("annotations", "versions")),
            ("asserts", _pytrace("asserting")),
            ("value_comparison", _pytrace("value_comparison", test="")),
            ("dataflow", ("tests/trace/test_dependence.py::",)),
            ("dialects", _pytrace("unrecorded", test="test_control_goes_")),
            (
                "recording/depth",
                _pytrace("once_refused", test="test_programs_recurse_as_deep_as_plainly"),
            ),
            ("effects", ("tests/trace/test_dependence.py::",)),
            ("guard", _pytrace("guard", "astray")),
            ("code", _pytrace("raisers", test="")),
            ("limits", _pytrace("limits")),
            ("namespaces", ("tests/trace/test_dependence.py::",)),
            ("loops", _pytrace("corpus", test="test_recorded_as_expected[async")),
            (
                "other_tracers",
                (
                    *_pytrace("once_refused", test="test_what_a_program_"),
                    *_pytrace("once_refused", test="test_a_program_finds_"),
                ),
            ),
            ("plan", _pytrace("fork_equals_fresh")),
            ("program", _pytrace("replaying", "raisers", test="")),
            ("progress", _pytrace("blocked", test="")),
            ("record", _pytrace("replaying", test="")),
            ("replay", _pytrace("unrecorded", "replaying", test="")),
            ("server", _pytrace("helpers_end", "cancel", "blocked", test="")),
            ("versions", _pytrace("versions", "annotations", "unknown")),
            ("watch", _pytrace("watch", test="")),
            ("", ()),
        )
    ),
)

PTRACE, CANCEL = "tests/stripe_gdb/test_ptrace.py", "tests/stripe_gdb/test_cancel.py"
GDB_GUESTS = (
    (
        "backends/stripe_gdb/ingredients.py",
        ("tests/stripe_gdb/test_compiling.py::test_a_library_that_is_looked_for",),
    ),
    (
        "backends/stripe_gdb/inside/record.py",
        ("tests/stripe_gdb/test_criteria.py::test_signal_and_exit_agree_", PTRACE, CANCEL),
    ),
    (
        "backends/stripe_gdb/runner.py",
        (
            "tests/stripe_gdb/test_walls.py::test_what_a_run_leaves_is_gone",
            f"{PTRACE}::test_the_stack_is_where_it_is",
        ),
    ),
    (
        "backends/stripe_gdb/inside/process_guard.py",
        ("tests/stripe_gdb/test_keeper.py", PTRACE, "tests/stripe_gdb/test_criteria.py"),
    ),
    (
        "backends/stripe_gdb/inside/",
        (
            PTRACE,
            CANCEL,
            "tests/stripe_gdb/test_calls.py",
            "tests/stripe_gdb/test_criteria.py",
            "tests/stripe_gdb/test_parting.py",
            "tests/stripe_gdb/test_signals.py",
        ),
    ),
    ("backends/stripe_gdb/tracer/", (PTRACE, CANCEL)),
    ("backends/stripe_gdb/terminal.py", ("tests/stripe_gdb/test_tty.py",)),
)

ROOMS = {
    room.name: room
    for room in (
        Room("dd", "stripe/dd", ("tests/dd",)),
        Room(
            "trace",
            "stripe/trace",
            (
                "tests/trace",
                "tests/reduce/test_guided.py",
                "tests/report",
                "tests/e2e/test_hang.py",
                "tests/e2e/test_parting.py",
            ),
        ),
        Room(
            "checks",
            "stripe/checks",
            ("tests/checks", "tests/reduce/test_reduce.py", "tests/e2e/test_checks.py"),
        ),
        Room("reduce", "stripe/reduce", ("tests/reduce", "tests/report", "tests/results")),
        Room("sandbox", "stripe/sandbox", ("tests/sandbox",), SANDBOX_GUESTS),
        Room(
            "inputs",
            "stripe/inputs",
            ("tests/inputs", "tests/outputs", "tests/e2e/test_input.py"),
        ),
        Room("campaign", "stripe/campaign", ("tests/campaign",)),
        Room("changes", "stripe/changes", ("tests/changes",)),
        Room(
            "cli",
            "stripe/cli",
            (
                "tests/cli",
                *(
                    f"tests/e2e/test_{name}.py"
                    for name in ("cells", "doctor", "exit_status", "writes")
                ),
            ),
        ),
        Room("debug", "stripe/debug", ("tests/debug",)),
        Room("kit", "stripe/kit", ("tests/kit",)),
        Room("lsp", "stripe/lsp", ("tests/lsp",)),
        Room("mcp", "stripe/mcp", ("tests/mcp",)),
        Room("outputs", "stripe/outputs", ("tests/outputs",)),
        Room("report", "stripe/report", ("tests/report", "tests/results")),
        Room("results", "stripe/results", ("tests/results", "tests/report")),
        Room("running", "stripe/running", ("tests/running",)),
        Room("states", "stripe/states", ("tests/states",)),
        Room("suspects", "stripe/suspects", ("tests/suspects",)),
        Room("units", "stripe/units", ("tests/units", "tests/inputs/test_reduction.py")),
        Room("why", "stripe/why", ("tests/why",)),
        Room("stripe_perl", "backends/stripe_perl", ("tests/stripe_perl",)),
        Room("stripe_gdb", "backends/stripe_gdb", GDB, GDB_GUESTS),
        Room(
            "stripe_pytrace",
            "backends/stripe_pytrace",
            (
                *PYTRACE,
                "tests/trace/test_dependence.py",
                "tests/e2e/test_hang.py",
                "tests/e2e/test_causes.py",
            ),
            PYTRACE_GUESTS,
        ),
    )
}


def sample(room: Room, count: int, seed: int) -> list[Mutation]:
    """``count`` mutants of a room, spread evenly: one of each function, then a second one, ...

    Which ones depends on the seed and on their content alone, not on changes elsewhere.
    """

    def order(*words: str) -> str:
        return hashlib.sha256("\0".join((str(seed), *words)).encode()).hexdigest()

    piles: dict[tuple[str, str], dict[str, list[Mutation]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((ROOT / room.folder).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        for mutation in mutations(name, path.read_text()):
            piles[name, mutation.function][mutation.operator].append(mutation)

    def turns(key: tuple[str, str]) -> Iterator[Mutation]:
        """All of a function's, the kinds of operators by turns."""
        kinds = {
            kind: sorted(many, key=lambda each: order(each.id)) for kind, many in piles[key].items()
        }
        while kinds:
            for kind in sorted(kinds, key=lambda kind: order(kind, *key)):
                yield kinds[kind].pop(0)
                if not kinds[kind]:
                    del kinds[kind]

    chosen: list[Mutation] = []
    waiting = [turns(key) for key in sorted(piles, key=lambda key: order(*key))]
    while waiting and len(chosen) < count:
        drawn = [(each, next(each, None)) for each in waiting]
        waiting = [each for each, mutation in drawn if mutation is not None]
        chosen += [mutation for _, mutation in drawn if mutation is not None]
    return chosen[:count]


def equivalents() -> dict[str, str]:
    """Why a mutant changes nothing that anybody could notice, by its id."""
    table = tomllib.loads(EQUIVALENT.read_text())
    return {each["id"]: each["reason"] for each in table.get("mutant", [])}

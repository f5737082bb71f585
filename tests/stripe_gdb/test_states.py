"""Runs of native programs that are looked at and changed at moments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from stripe.backend import End, Target
from stripe.errors import NotReducible, UsageError
from stripe.run_equality import difference
from stripe.snapshots import Alteration, Later, Moment, Snapshot
from stripe.states import differences, plan
from stripe.states.snapshots import alteration, graph_of
from stripe_gdb.preparation import open_states
from stripe_gdb.state_runs import StateRun
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, sample

pytestmark = [needs_gdb, needs_cc]


@contextmanager
def prepared(folder: Path, text: str, *arguments: str, stdin: bytes = b"") -> Iterator[StateRun]:
    build(text, folder)
    run = open_states(Target("prog", arguments, directory=folder, stdin=stdin, timeout=4.0))
    try:
        yield run
    finally:
        run.close()


def listed(run: StateRun) -> dict[Moment, tuple[str, ...]]:
    """The functions on the stack at each moment."""
    with run.looked(20_000) as (_, moments):
        return {moment: tuple(call.function for call in trace) for moment, trace in moments}


def unchanged(state: Snapshot) -> Alteration:
    return Alteration({}, state, state)


def made_like(passing: Snapshot, failing: Snapshot, name: str) -> Alteration:
    """What sets one variable of a state to what it is in another one."""
    graphs = graph_of(passing), graph_of(failing)
    found = differences(*graphs)
    numbers = [delta.number for delta in found.deltas if delta.name == name]
    assert numbers, [delta.name for delta in found.deltas]
    return alteration(plan(found, numbers), passing, failing, graphs)


READER = sample("states/reader.c")


def test_run_on_unchanged_it_does_what_it_does_plainly(tmp_path: Path) -> None:
    """At any moment: input that is read in part, output and files that are written in part."""
    with prepared(tmp_path, READER, stdin=b"7\n8\n9\n") as run:
        moments = list(listed(run))
        states = run.states(moments)
        assert list(states) == moments
        for moment in moments:
            with run.changed(moment, unchanged(states[moment])) as (observation, after):
                assert difference(run.plain, observation) is None, moment
                assert (observation.directory / "copy.txt").read_text() == "7\n8\n9\n"
                assert after == states[moment], moment
        assert not (tmp_path / "copy.txt").exists()


def test_what_the_run_does_later_depends_on_what_was_changed(tmp_path: Path) -> None:
    with (
        prepared(tmp_path, READER, stdin=b"7\n8\n9\n") as passing,
        prepared(tmp_path, READER, stdin=b"1\n8\n9\n") as failing,
    ):
        at = Moment("prog.c", 6, 2)
        listed(passing)
        listed(failing)
        states = passing.states([at])[at], failing.states([at])[at]
        with passing.changed(at, made_like(*states, "total")) as (observation, after):
            assert observation.stdout == b"begin\n18\n"
            assert after is not None


def test_a_later_moment_is_known_by_its_backtrace(tmp_path: Path) -> None:
    """Counted from the change on; in a callback of a library, too."""
    with prepared(tmp_path, CALLS) as run:
        with run.looked(20_000) as (_, moments):
            pass
        start = Moment("prog.c", 13)
        state = run.states([start])[start]
        for wanted, number in ((Moment("prog.c", 4, 2), 2), (Moment("prog.c", 8, 2), 1)):
            trace = dict(moments)[wanted]
            later, there = Later(trace, number), run.states([wanted])[wanted]
            with run.followed(start, unchanged(state), later) as (observation, _, then):
                assert then == there
                assert difference(run.plain, observation) is None
        with run.followed(start, unchanged(state), Later(trace, 2)) as (_, after, then):
            assert after is not None
            assert then is None, "it does not come there a second time"


def test_things_are_known_by_their_places(tmp_path: Path) -> None:
    """An element of the heap is the same in a function; a local variable of it is nobody else."""
    program = """\
#include <stdlib.h>
static int sum(int *p) {
    int x = p[1];
    return x;
}
int main(void) {
    int *a = calloc(8, sizeof(int));
    int s = sum(a);
    return s + sum(a);
}
"""
    with prepared(tmp_path, program) as run:
        listed(run)
        inner, outer = Moment("prog.c", 4), Moment("prog.c", 9)
        states, things = run.states([inner, outer]), run.identities([inner, outer])

        def thing(at: Moment, name: str) -> int | None:
            graph = graph_of(states[at])
            address = graph.vertices[graph.number(name)].address
            assert isinstance(address, int)
            return things[at][address]

        assert thing(inner, "p[1]") == thing(outer, "a[1]") is not None
        assert thing(inner, "p[1]") != thing(outer, "a[2]")
        assert thing(inner, "x") is None


CALLS = sample("states/calls.c")


def test_moments_have_the_calls_that_lead_to_them(tmp_path: Path) -> None:
    """Of callbacks, too; two calls from one line are two places."""
    with prepared(tmp_path, CALLS) as run:
        moments = listed(run)
        assert moments[Moment("prog.c", 3)] == ("compare", "main")
        assert moments[Moment("prog.c", 3, 2)] == ("compare", "main")
        assert moments[Moment("prog.c", 7, 2)] == ("down", "down", "main")
        assert moments[Moment("prog.c", 7, 3)] == ("down", "down", "main")
        assert Moment("prog.c", 7, 4) not in moments
        with run.looked(20_000) as (_, found):
            traces = dict(found)
        second, third = traces[Moment("prog.c", 7, 2)], traces[Moment("prog.c", 7, 3)]
        assert [call[:3] for call in second] == [call[:3] for call in third]
        assert second != third
        names = [base.key for base in run.states([Moment("prog.c", 3)])[Moment("prog.c", 3)].bases]
        assert names == ["", "main", ""], "compare, main behind the library's frames, and globals"


def test_as_many_moments_as_are_wanted(tmp_path: Path) -> None:
    with prepared(tmp_path, CALLS) as run, run.looked(4) as (observation, moments):
        assert len(moments) == 4
        assert difference(run.plain, observation) is None, "it has come to its end nevertheless"


FRAGILE = sample("states/fragile.c")

WAYS = {
    "1": (End.SIGNAL, "SIGFPE", 6),
    "2": (End.TIMEOUT, "", 0),
    "3": (End.SIGNAL, "SIGSEGV", 24),
    "4": (End.EXITED, "", 0),
    "5": (End.DIVERGED, "", 0),
    "6": (End.SIGNAL, "SIGABRT", 23),
}


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StateRun]:
    with prepared(tmp_path_factory.mktemp("fragile"), FRAGILE, "0") as run:
        listed(run)
        yield run


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_run_that_goes_wrong_costs_itself_only(
    way: str, fragile: StateRun, tmp_path: Path
) -> None:
    """A crash has its place in the user's code, also where a library dies or ends it."""
    at = Moment("prog.c", 10)
    state = fragile.states([at])[at]
    (number,) = [n for n, each in enumerate(state.items) if each.type == "int" and each.text == "0"]
    told = [list(each) for each in state.private["items"]]
    told[number][2:4] = way, ["bytes", int(way).to_bytes(4, "little").hex()]
    items = [*state.items]
    items[number] = replace(items[number], value=way, text=way)
    other = replace(state, items=items, private={**state.private, "items": told})
    with fragile.changed(at, made_like(state, other, "way")) as (observation, after):
        assert after is not None
        end, died, line = WAYS[way]
        assert observation.end is end
        found = observation.exception
        assert (found.type if found else "", found.line if found else 0) == (died, line)
    with fragile.changed(at, unchanged(state)) as (observation, _):
        assert difference(fragile.plain, observation) is None


def test_a_state_that_is_another_one_is_not_changed(fragile: StateRun) -> None:
    at = Moment("prog.c", 10)
    state = fragile.states([at])[at]
    other = replace(state, private={**state.private, "digest": "another"})
    with fragile.changed(at, unchanged(other)) as (observation, after):
        assert observation.end is End.DIVERGED
        assert after is None


def test_a_run_that_differs_each_time_is_refused(tmp_path: Path) -> None:
    text = (
        '#include <stdio.h>\n#include <unistd.h>\nint main(void) {\nprintf("%d\\n", getpid());\n}'
    )
    with prepared(tmp_path, text) as run, pytest.raises(NotReducible) as refused:
        listed(run)
    assert refused.value.slug == "nondeterministic"


def test_a_rule_for_unions_has_a_form(tmp_path: Path) -> None:
    build("int main(void) { return 0; }", tmp_path)
    with pytest.raises(UsageError, match="--union number: "):
        open_states(Target("prog", directory=tmp_path, unions=("number",)))

"""A refusal says at which statement, in which of its executions, the runs first part."""

from __future__ import annotations

import re
from array import array
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.errors import NotReducible
from stripe.sandbox.walls import Layer
from stripe.trace import NONE, Trace
from stripe_gdb.backend import NativeBackend
from stripe_gdb.first_divergence import in_time
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, sample
from tests.support.layers import forced

pytestmark = [needs_cc, needs_gdb]

VALUE = sample("parting/value.c")
WAY = sample("parting/way.c")
NUMBER = sample("parting/number.c")


def refusal(folder: Path, source: str, engine: str) -> NotReducible:
    build(source, folder)
    with pytest.raises(NotReducible) as caught:
        NativeBackend().record(Target("./prog", directory=folder, engine=engine)).close()
    return caught.value


def test_another_value_where_it_is_first_seen(tmp_path: Path) -> None:
    """Within a call; the sum that is made of it differs only when that has returned."""
    error = refusal(tmp_path, VALUE, "gdb")
    assert error.slug == "nondeterministic"
    assert "Runs first part at prog.c:9, found = now.tv_sec * 1000" in error.message
    assert "The plain run ended with exit status 3; its last words" in error.message


def test_another_way(tmp_path: Path) -> None:
    error = refusal(tmp_path, WAY, "ptrace")
    assert error.slug == "nondeterministic"
    why = "leaves the recorded path: a kept condition does not evaluate as it did (prog.c:7)"
    assert why in error.message
    assert re.search(r"at prog.c:7, if \(clock\(\) & 1\) \(execution \d+ of 64\)", error.message)


@pytest.mark.parametrize(
    ("layer", "slug"),
    [(Layer.NAMESPACES, "not-reproducible"), (Layer.LANDLOCK, "nondeterministic")],
)
def test_a_full_replay_that_does_something_else(tmp_path: Path, layer: Layer, slug: str) -> None:
    """With the ptrace engine in namespaces, the plain and the recorded run have the same number."""
    with forced(layer):
        error = refusal(tmp_path, NUMBER, "ptrace")
    assert error.slug == slug
    assert "Runs first part at prog.c:5, int number = getpid(): number" in error.message


def test_the_order_in_which_values_are_seen() -> None:
    """Before each event, and after all that it called."""
    caller = array("i", [NONE, 0, 1, 0, NONE])
    trace = Trace([], [], [], array("i", range(5)), array("i", [0] * 5), caller, caller)
    assert list(in_time(trace)) == [
        (0, False), (1, False), (2, False), (2, True), (1, True), (3, False), (3, True), (0, True),
        (4, False), (4, True),
    ]  # fmt: skip

"""``--check hang``: native programs that do not end."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.errors import NotReducible
from stripe_gdb import hangs
from tests.stripe_gdb.native import build, engines, needs_cc, needs_gdb, sample

pytestmark = [needs_gdb, needs_cc]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are cut off sooner than those of users: these loops go round at once."""
    monkeypatch.setattr(hangs, "CUT_EVENTS", 2_000)


ASKS = sample("hang/asks.c")
BREAKS = sample("hang/breaks.c")


def hang(text: str, folder: Path, engine: str) -> tuple[set[int], list[str]]:
    """The lines that are kept, and the report."""
    program = build(text, folder)
    result = stripe.trace(program, directory=folder, check="hang", engine=engine)
    [found] = result.slices
    assert found.certified
    assert found.verified
    trace = result.trace
    assert len(trace) < 200
    lines = {trace.statements[trace.statement[event]].line for event in found.events}
    return lines, stripe.render(result).splitlines()


@engines
def test_what_makes_the_condition_hold(engine: str, tmp_path: Path) -> None:
    lines, report = hang(ASKS, tmp_path, engine)
    assert lines == {4, 9, 11}
    (where,) = (line for line in report if line.startswith("goes on at"))
    assert where.endswith("prog.c:11  while (more(position, 3))")


@engines
def test_a_loop_that_only_a_break_would_leave(engine: str, tmp_path: Path) -> None:
    lines, _ = hang(BREAKS, tmp_path, engine)
    assert lines == {8, 18, 19}


@engines
@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("int main(void) { return 3; }\n", "no-hang"),
        ("#include <unistd.h>\nint main(void)\n{\n    pause();\n    return 0;\n}\n",
         "waits-for-ever"),
        ("static int f(int n)\n{\n    return n ? f(n + 1) : 0;\n}\nint main(void)\n{\n"
         "    return f(1);\n}\n", "no-loop"),
        ("#include <unistd.h>\nstatic int f(int n)\n{\n    usleep(20000);\n"
         "    return n ? f(n + 1) : 0;\n}\nint main(void)\n{\n    return f(1);\n}\n", "no-loop"),
    ],
    ids=["ends", "waits", "calls itself", "calls itself slowly"],
)  # fmt: skip
def test_what_is_no_endless_loop(engine: str, text: str, slug: str, tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as caught:
        stripe.trace(
            build(text, tmp_path), directory=tmp_path, check="hang", engine=engine, timeout=2
        )
    assert caught.value.slug == slug


UNSIGNED = sample("hang/unsigned.c")


ONE_LINE = sample("hang/one_line.c")


@engines
@pytest.mark.parametrize(
    ("loop", "kept", "header"),
    [
        ("while (n) ;", {4, 5}, "while (n)"),
        ("do n = n * 3 % 7; while (n);", {4, 5}, "while (n)"),
        ("for (;;) { n = n * 3 % 7; if (!n) break; }", {4, 5}, "for (;;)"),
        ("for (unsigned k = 3; k >= 0; k--) n += twice(k);", {5},
         "for (unsigned k = 3; k >= 0; k--)"),
        ("volatile unsigned i = 3; while (i >= 0) { n += i; i--; }", {5}, "while (i >= 0)"),
    ],
)  # fmt: skip
def test_a_loop_on_a_single_line(
    engine: str, loop: str, kept: set[int], header: str, tmp_path: Path
) -> None:
    lines, report = hang(ONE_LINE % loop, tmp_path, engine)
    assert lines == kept
    (where,) = (line for line in report if line.startswith("goes on at"))
    assert where.endswith(f"prog.c:5  {header}")


@engines
def test_a_condition_that_always_holds_is_no_machine_code(engine, tmp_path):
    program = build(UNSIGNED, tmp_path)
    result = stripe.trace(program, check="hang", directory=tmp_path, engine=engine)
    (found,) = result.slices
    assert found.certified
    assert {line for _, line in found.lines(result.trace)} == {5}

"""What a run leaves behind is gone before the next one begins."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stripe.backend import End, Target
from stripe_perl.backend import PerlBackend
from tests.stripe_perl.perl import needs_perl, written

pytestmark = needs_perl

LAYERS = ("namespaces", "landlock")

FINDS_WHAT_IS_LEFT = r"""
my $there = `cat /proc/[0-9]*/cmdline 2> /dev/null`;
printf "%d left\n", scalar(() = $there =~ /sleep\x{0}SECONDS\x{0}/g);
system q{(START) > /dev/null 2>&1};
"""

STARTS = {
    "group": "sleep SECONDS &",
    "session": "setsid sleep SECONDS &",
    "session of its own child": "setsid sh -c '(setsid sleep SECONDS; :) & :' &",
}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_processes_do_not_live_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, layer: str
) -> None:
    monkeypatch.setenv("STRIPE_SANDBOX_LAYER", layer)
    seconds = f"{1_000_000 + os.getpid()}"  # no other test's
    text = FINDS_WHAT_IS_LEFT.replace("START", start)
    with written(tmp_path, text.replace("SECONDS", seconds)) as recording:
        everything = range(len(recording.trace))
        for _ in range(3):
            with recording.replay(everything) as run:
                assert run.stdout == b"0 left\n"


def test_what_is_started_as_it_is_compiled_is_there_in_each_run(tmp_path: Path) -> None:
    text = """
    my $child;
    BEGIN { require IPC::Open2; $child = IPC::Open2::open2(my $out, my $in, 'sleep 1000') }
    system 'sleep 1000 > /dev/null 2>&1 &';
    print kill(0, $child), "\\n";
    """
    with written(tmp_path, text) as recording:
        for _ in range(3):
            with recording.replay(range(len(recording.trace))) as run:
                assert run.stdout == b"1\n"


def test_children_that_end_do_not_give_a_run_more_time(tmp_path: Path) -> None:
    program = tmp_path / "prog.pl"
    program.write_text(
        "my $does = 'go on';\n$does = 'end';\n"
        "system qq(while [ '$does' = 'go on' ]; do (sleep 0.01 &); done);\n",
        "utf-8",
    )
    target = Target(program.name, directory=tmp_path, timeout=2.0)
    recording = PerlBackend().record(target)
    try:
        trace = recording.trace
        lines = [trace.statements[statement].line for statement in trace.statement]
        kept = [event for event, line in enumerate(lines) if line != 2]
        with recording.replay(kept) as run:
            assert run.end is End.TIMEOUT
    finally:
        recording.close()

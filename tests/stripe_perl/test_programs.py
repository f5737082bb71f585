"""Programs over the language: recorded, replayed in full, and replayed in random parts.

That plain, recorded and full runs are the same byte for byte is what ``record`` insists on.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from stripe.backend import End
from stripe.errors import NotReducible
from stripe_perl.recording import PerlRecording
from tests.stripe_perl.perl import PROGRAMS, needs_perl, recorded, written

pytestmark = needs_perl

CONFIGURATIONS = int(os.environ.get("STRIPE_TEST_CONFIGURATIONS", "6"))
PERLS_OWN = (b"panic:", b"Bizarre", b"Attempt to free", b"Assertion")
"""What perl says when it is broken, whatever the program does."""


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.pl")), ids=lambda path: path.stem)
def test_parts_of_programs_end_as_programs_of_perl_do(program: Path) -> None:
    dice = random.Random(program.stem)
    with recorded(program) as recording:
        assert isinstance(recording, PerlRecording)
        events = range(len(recording.trace))
        assert recording.differences(events) == {}  # it does the same while it is looked at
        for _ in range(CONFIGURATIONS):
            share = dice.choice([0.1, 0.3, 0.5, 0.7, 0.9])
            kept = recording.trace.close([e for e in events if dice.random() < share])
            with recording.replay(kept) as run:
                own = run.end is End.SIGNAL and run.status == signal.SIGUSR1
                assert own or run.end in (End.EXITED, End.DIVERGED), kept
                assert not any(words in run.stderr for words in PERLS_OWN), run.stderr


def test_nothing_but_kept_events_takes_effect(tmp_path: Path) -> None:
    # The oracle: each statement prints its own letter, so a replay prints those of what was kept.
    lines = "".join(f'print "{letter}";\n' for letter in "abcdefgh")
    dice = random.Random(1)
    with written(tmp_path, lines) as recording:
        for _ in range(20):
            kept = [event for event in range(8) if dice.random() < 0.5]
            with recording.replay(kept) as run:
                assert run.stdout.decode() == "".join("abcdefgh"[event] for event in kept)


def test_control_mode_program_tells_a_condition_that_changes(tmp_path: Path) -> None:
    with written(tmp_path, "my $x = 1;\nif ($x) { print 'yes' }\nprint 'end';\n") as recording:
        kept = [1, 2, 3]  # without the assignment
        with recording.replay(kept) as run:
            assert (run.end, run.stdout) == (End.EXITED, b"yesend")
        with recording.replay(kept, strict=True) as run:
            assert run.end is End.DIVERGED


def test_output_that_is_no_text(tmp_path: Path) -> None:
    with written(tmp_path, 'binmode STDOUT;\nprint "\\xff\\x00\\xc3";\n') as recording:
        assert recording.recorded.stdout == b"\xff\x00\xc3"


def test_what_runs_at_compile_time_is_said_first_in_each_run(tmp_path: Path) -> None:
    text = 'BEGIN { $| = 1; print "compiled " }\nprint "one ";\nprint "two";\n'
    with written(tmp_path, text) as recording, recording.replay([1]) as run:
        assert run.stdout == b"compiled two"


def test_environment_and_modules_are_the_program_s_own(tmp_path: Path) -> None:
    ours = "grep /STRIPE_(?!WARDEN)|StripeRuntime/, keys %ENV, keys %INC, @INC"
    text = f'print join(" ", {ours}), "none";\n'
    with written(tmp_path, text) as recording:
        assert recording.recorded.stdout == b"none"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("my $p = fork;\nexit if !$p;\nwaitpid $p, 0;\nprint 'x';\n", "line 1: fork"),
        ("my $p = open(my $out, '-|') // die;\nexit if !$p;\nprint 'x';\n", "line 1: fork"),
        ("sub f {\n  goto $_[0];\n  A: print 1;\n}\nf('A');\n", "line 2: goto"),
        ("my $i = 0;\nAGAIN: $i++;\ngoto AGAIN if $i < 3;\nprint $i;\n", "line 3: goto"),
        ("use threads;\nmy $t = threads->create(sub { 1 });\n$t->join;\nprint 1;\n", "threads"),
    ],
)
def test_what_is_not_followed_is_refused_by_name(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(NotReducible) as refused, written(tmp_path, text):
        pass
    assert refused.value.slug == "perl-not-followed"
    assert what in refused.value.message


def test_addresses_are_not_what_a_program_prints(tmp_path: Path) -> None:
    text = 'my $x = [1];\nprint "$x ", bless({}, "A"), sub { 1 };\nwarn \\1;\n'
    text += 'print "%3DCODE(0x12345678)(0xbeefbeef)";\n'
    with written(tmp_path, text) as recording:
        seen = recording.recorded
        assert seen.stdout == b"ARRAY(0x...) A=HASH(0x...)CODE(0x...)%3DCODE(0x...)(0xbeefbeef)"
        assert seen.stderr.startswith(b"SCALAR(0x...) at ")
        with recording.replay([0, 1]) as run:
            assert run.stdout == b"ARRAY(0x...) A=HASH(0x...)CODE(0x...)"


TAIL = """\
sub f {
  my ($x) = @_;
  print "f$x ";
  return $x + 1;
}
sub g {
  print "g ";
  goto &f if $_[0];
  print "never ";
}
print g(4);
"""


def test_goto_to_a_sub_ends_an_activation_and_begins_another(tmp_path: Path) -> None:
    with written(tmp_path, TAIL) as recording:
        trace = recording.trace
        lines = [trace.statements[each].line for each in trace.statement]
        assert lines == [11, 7, 8, 8, 2, 3, 4]
        assert [trace.caller[event] for event in range(len(trace))] == [-1, *[0] * 6]
        for gone, said in ((2, b"g f4 5"), (3, b"g "), (5, b"g 5"), (6, b"g f4 ")):
            kept = trace.close([event for event in range(len(trace)) if event != gone])
            with recording.replay(kept) as run:
                assert run.stdout == said, gone


def test_an_exit_status_above_128_is_no_signal(tmp_path: Path) -> None:
    """The plain run was told as one that died of a signal, and the program was refused."""
    with written(tmp_path, "print 1;\nexit 139;\n") as recording:
        assert (recording.plain.end, recording.plain.status) == (End.EXITED, 139)
        assert (recording.recorded.end, recording.recorded.status) == (End.EXITED, 139)


def test_the_parent_of_a_run_is_another_process(tmp_path: Path) -> None:
    """In replays `getppid` was what `$$` is, and who signals the parent signalled the run."""
    with written(tmp_path, "print getppid == $$ ? 'same' : 'another';\n") as recording:
        assert recording.recorded.stdout == b"another"

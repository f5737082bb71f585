"""What variables hold: the criterion ``var``, and the values of kept events in reports."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.backend import Probe, Recording, Target
from stripe.errors import NotReducible, UsageError
from stripe_perl.backend import PerlBackend
from stripe_perl.recording import PerlRecording
from tests.stripe_perl.perl import needs_perl, written

pytestmark = needs_perl

PROGRAM = """\
our $global = 'g';
my ($total, @list, %h) = (0);
foreach my $n (1 .. 4) {
    my $sq = $n * $n;
    next if $n == 2;
    $total += $sq;
    push @list, $n;
    $h{$n} = [$n, { a => "x\\ty" }];
}
sub f {
    my ($v) = @_;
    my $w = $v + 1;
    return $w;
}
my $r = f($total);
my $self = bless { n => 5, s => "05" }, 'Class';
$self->{me} = $self;
my $i = 0;
while ($i < 2) { $i++; my $inner = $i * 2;
    $inner++ }
my $long = 'ab' x 5000;
print "$r @list\\n";
"""


def record(folder: Path, text: str, *probes: tuple[str, int]) -> Recording:
    (folder / "prog.pl").write_text(text, "utf-8")
    asked = [Probe(name, "prog.pl", line) for name, line in probes]
    return PerlBackend().record(Target("prog.pl", directory=folder), asked)


@pytest.mark.parametrize(
    ("name", "line", "value"),
    [
        ("total", 6, "26"),
        ("$total", 2, "0"),
        ("sq", 4, "16"),
        ("n", 3, "4"),  # of the last round that there was
        ("list", 7, "[1, 3, 4]"),
        ("@list", 7, "[1, 3, 4]"),
        ("%h", 8, '{1 => [1, {a => "x\\ty"}], 3 => [3, {a => "x\\ty"}], 4 => [4, {a => "x\\ty"}]}'),
        ("w", 12, "27"),
        ("w", 13, "27"),  # before it is left
        ("total", 12, "26"),  # of the scope around
        ("r", 15, "27"),
        ("self", 17, 'Class {me => Class itself, n => 5, s => "05"}'),
        ("inner", 20, "5"),
        ("i", 19, "2"),
        ("global", 1, '"g"'),
        ("main::global", 22, '"g"'),
        ("no_such", 1, None),
        ("w", 15, None),
        ("total", 100, None),
    ],
)
def test_the_last_value_after_a_line(
    tmp_path: Path, name: str, line: int, value: str | None
) -> None:
    recording = record(tmp_path, PROGRAM, (name, line))
    try:
        assert list(recording.recorded.values.values()) == ([] if value is None else [value])
        with recording.replay(range(len(recording.trace))) as full:
            assert full.values == recording.recorded.values
    finally:
        recording.close()


def test_a_long_value_ends_in_a_digest_of_all_of_it(tmp_path: Path) -> None:
    texts: list[str] = []
    for word in ("ab", "ac"):
        end = f"my $long = 'ab' x 5000 . '{word}';\nprint 1;\n"
        recording = record(tmp_path, end, ("long", 1))
        recording.close()
        texts += recording.recorded.values.values()
    assert len(set(texts)) == 2
    assert all(len(text) < 4100 and "... #" in text for text in texts)


def test_the_criterion_is_reduced(tmp_path: Path) -> None:
    (tmp_path / "prog.pl").write_text(PROGRAM, "utf-8")
    found = stripe.trace("prog.pl", check=["var:total@prog.pl:6"], directory=tmp_path)
    lines = {found.trace.statements[found.trace.statement[event]].line
             for event in found.slices[0].events}  # fmt: skip
    assert lines == {3, 4, 6}


def test_a_left_out_statement_is_looked_at_as_well(tmp_path: Path) -> None:
    recording = record(tmp_path, "my $x = 1;\n$x = 2;\nprint $x;\n", ("x", 2))
    try:
        with recording.replay([0, 2]) as run:
            assert list(run.values.values()) == ["1"]
        with recording.replay([2]) as run:
            assert list(run.values.values()) == ["undef"]
    finally:
        recording.close()


def test_looking_calls_nothing_of_the_program(tmp_path: Path) -> None:
    text = (
        "package T; my $n = 0; sub TIESCALAR { bless [] } sub FETCH { ++$n }\n"
        "package O; use overload '\"\"' => sub { ++$n };\n"
        "package main;\ntie my $t, 'T';\nmy $o = bless {}, 'O';\nmy @all = ($o, 1);\nprint $n;\n"
    )
    recording = record(tmp_path, text, ("t", 4), ("all", 6))
    recording.close()
    assert list(recording.recorded.values.values()) == ["a tied variable", "[O {}, 1]"]
    assert recording.recorded.stdout == b"0"


def test_a_line_that_is_not_reached(tmp_path: Path) -> None:
    (tmp_path / "prog.pl").write_text("my $x = 1;\n", "utf-8")
    with pytest.raises(NotReducible) as refused:
        stripe.trace("prog.pl", check=["var:x@prog.pl:7"], directory=tmp_path)
    assert refused.value.slug == "never-reached"


@pytest.mark.parametrize("check", ["var:$x@prog.py:1", "var:m::x@prog.py:1"])
def test_other_languages_have_no_such_names(tmp_path: Path, check: str) -> None:
    (tmp_path / "prog.py").write_text("x = 1\n", "utf-8")
    with pytest.raises(UsageError) as refused:
        stripe.trace("prog.py", check=[check], directory=tmp_path)
    assert (refused.value.slug, "var:" in refused.value.hint) == ("bad-check", True)


def test_values_of_kept_events(tmp_path: Path) -> None:
    text = (
        "my @a = (3);\nmy $x = $a[0];\n$x++;\nour %h;\n$h{k} = $x;\nif ($h{k} == 4) {\n"
        '  print "yes";\n}\nsub f { my $y = shift; return $y }\nf($x);\n'
    )
    with written(tmp_path, text) as recording:
        assert isinstance(recording, PerlRecording)
        events = range(len(recording.trace))
        with recording.watch(events) as (run, values):
            assert run.stdout == b"yes"
        lines = [recording.trace.statements[each].line for each in recording.trace.statement]
        told = [(lines[event], held) for event, held in sorted(values.items())]
    assert told == [
        (1, {"@a": "[3]"}),
        (2, {"@a": "[3]", "$x": "3"}),
        (3, {"$x": "4"}),
        (4, {"%h": "{}"}),
        (5, {"$x": "4", "%h": "{k => 4}"}),
        (6, {"%h": "{k => 4}"}),
        (10, {"$x": "4"}),
        (9, {"$y": "4"}),
        (9, {"$y": "4"}),
    ]


def test_values_are_those_of_the_replay(tmp_path: Path) -> None:
    with written(tmp_path, "my $x = 1;\n$x = 2;\nprint $x;\n") as recording:
        assert isinstance(recording, PerlRecording)
        with recording.watch([0, 2]) as (_, values):
            assert values == {0: {"$x": "1"}, 2: {"$x": "1"}}

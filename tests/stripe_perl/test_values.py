"""What kept events see, compared with what they saw in the recorded run."""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.errors import NotReducible
from stripe_perl.recording import PerlRecording
from tests.stripe_perl.perl import needs_perl, recorded, written

pytestmark = needs_perl


def seen_otherwise(folder: Path, text: str, left_out: int) -> dict[int, list[tuple[str, str]]]:
    """The lines at which something else is seen once the events of a line are left out."""
    with written(folder, text) as recording:
        assert isinstance(recording, PerlRecording)
        trace = recording.trace
        lines = [trace.statements[each].line for each in trace.statement]
        kept = trace.close([event for event, line in enumerate(lines) if line != left_out])
        found = recording.differences(kept)
        others: dict[int, list[tuple[str, str]]] = {}
        for event, names in found.items():
            others.setdefault(lines[event], []).extend(names.values())
        return others


@pytest.mark.parametrize(
    ("text", "left_out", "line", "then", "now"),
    [
        ("my $x = 1;\n$x = 2;\nprint $x;\n", 2, 3, "2", "1"),
        ("our %h = (a => 1);\n$h{a} = 'z';\nprint $h{a};\n", 2, 3, '"z"', "1"),
        ("my @a = (1);\npush @a, 2;\nprint scalar @a;\n", 2, 3, "2", "1"),
        ("my @a = (1);\npush @a, 2;\nforeach (@a) { 1 }\n", 2, 3, "true", "false"),
        ("sub f {\n  return 5 }\nmy $x = f();\n", 2, 3, "5", "undef"),
        ("my %h = (a => 1);\n$h{b} = 1;\nprint keys %h;\n", 2, 3, "2 values", '"a"'),
        ("my $s = 'ab';\n$s =~ s/a//;\nprint 1 if $s =~ /b/;\n", 2, 3, '"b"', '"ab"'),
        ("my $n = 0;\n$n = 1;\nif ($n == 1) { 1 }\n", 2, 3, "1", "0"),
        ("my $v = 1;\nmy $f = sub {\n  $v };\n$v = 2;\nprint $f->();\n", 4, 3, "2", "1"),
        ("my @a = (2, 1);\n@a = (1, 1);\nprint map { my $y = $_; $y } @a;\n", 2, 3,
         "2 values", "another 2 values"),
    ],
)  # fmt: skip
def test_what_is_read_is_compared(
    tmp_path: Path, text: str, left_out: int, line: int, then: str, now: str
) -> None:
    found = seen_otherwise(tmp_path, text, left_out)
    assert (then, now) in found[line]


def test_what_code_of_others_is_given_is_compared_as_deep_as_it_goes(tmp_path: Path) -> None:
    text = (
        "use Scalar::Util 'reftype';\nmy $o = bless { in => [1, { x => 1 }] }, 'Class';\n"
        "$o->{self} = $o;\n$o->{in}[1]{x} = 2;\nprint reftype($o);\n"
    )
    assert 5 in seen_otherwise(tmp_path, text, 4)


def test_what_nobody_reads_makes_no_difference(tmp_path: Path) -> None:
    text = "my %h = (a => 1);\n$h{b} = 1;\nprint $h{a}, $h{a} + 1;\n"
    assert seen_otherwise(tmp_path, text, 2) == {}


def test_what_is_overwritten_is_not_read(tmp_path: Path) -> None:
    text = "my ($x, $y, @a) = 1;\n$x = $y = @a = 2;\n$x = 3;\n@a = (3);\n$y = <STDIN>;\nprint @a;\n"
    assert seen_otherwise(tmp_path, text, 2) == {}


def test_what_is_told_otherwise_in_each_run_is_not_compared(tmp_path: Path) -> None:
    text = "use Time::HiRes 'time';\nmy $t = time;\nmy $u = $t;\nprint 1;\n"
    assert seen_otherwise(tmp_path, text, 4) == {}


def test_looking_calls_nothing_of_a_tied_variable(tmp_path: Path) -> None:
    text = (
        "package T; my $n = 0; sub TIESCALAR { bless [] } sub FETCH { ++$n } sub STORE { }\n"
        "package main;\ntie my $x, 'T';\nmy @a = ($x, $x);\nprint \"$x @a\";\n"
    )
    assert seen_otherwise(tmp_path, text, 100) == {}


def test_a_replay_by_stops_has_no_values(tmp_path: Path) -> None:
    program = tmp_path / "prog.pl"
    program.write_text("my $x = 1;\nprint $x;\nprint 2;\n", "utf-8")
    with recorded(program, engine="stepping") as recording:
        assert isinstance(recording, PerlRecording)
        with pytest.raises(NotReducible) as refused:
            recording.differences([0])
    assert refused.value.slug == "values-unknown"

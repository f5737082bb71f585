"""Which execution of a condition decided that an event was executed."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.trace import NONE
from tests.stripe_perl.perl import needs_perl, written

pytestmark = needs_perl


def deciding(folder: Path, text: str) -> list[tuple[str, str]]:
    """Events with the ones that decided on them, as ``line_time``."""
    with written(folder, text) as recording:
        trace = recording.trace
        return [
            (trace.name(event), "" if by == NONE else trace.name(by))
            for event, by in enumerate(trace.control)
        ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("my $x = 1;\nif ($x) {\n  $x++;\n}\nprint $x;\n",
         "1_1: 2_2: 3_3:2_2 5_4:"),
        ("my $x = 1;\nif (!$x) {\n  $x++;\n} elsif ($x) {\n  $x--;\n}\nprint $x;\n",
         "1_1: 2_2: 4_3:2_2 5_4:4_3 7_5:"),
        ("my $i = 0;\nwhile ($i < 2) {\n  $i++;\n}\nprint $i;\n",
         "1_1: 2_2: 3_3:2_2 2_4:2_2 3_5:2_4 2_6:2_4 5_7:"),
        ("for my $i (1, 2) {\n  next if $i == 1;\n  print $i;\n}\nprint 'x';\n",
         "1_1: 1_2: 2_3:1_2 2_4:2_3 1_5:1_2 2_6:1_5 3_7:2_6 1_8:1_5 5_9:"),
        ("for my $i (1, 2) {\n  last if $i == 2;\n  print $i;\n}\nprint 'x';\n",
         "1_1: 1_2: 2_3:1_2 3_4:2_3 1_5:2_3 2_6:1_5 2_7:2_6 5_8:"),
        ("sub f {\n  my $x = shift;\n  return 1 if $x;\n  print 'f';\n  2;\n}\nf(0);\nprint 1;\n",
         "7_1: 2_2: 3_3: 4_4:3_3 5_5:3_3 8_6:"),
        ("sub f {\n  2;\n}\nsub g {\n  goto &f if $_[0];\n  print 'g';\n}\ng(0);\nprint 1;\n",
         "8_1: 5_2: 6_3:5_2 9_4:"),
        ("my $x = 0;\n$x or $x = 3;\nprint $x;\n",
         "1_1: 2_2: 2_3:2_2 3_4:"),
        ("for my $i (1, 2) {\n  for my $j (1) {\n    print $j;\n  }\n}\n",
         "1_1: 1_2: 2_3:1_2 2_4:1_2 3_5:2_4 2_6:2_4 1_7:1_2 2_8:1_7 2_9:1_7 3_10:2_9 2_11:2_9 "
         "1_12:1_7"),
        ("{\n  my $x = 1;\n  last if $x;\n  print 'no';\n}\nprint 1;\n",
         "2_1: 3_2: 3_3:3_2 6_4:"),
    ],
)  # fmt: skip
def test_events_depend_on_the_condition_evaluated_last(
    tmp_path: Path, text: str, told: str
) -> None:
    assert " ".join(f"{event}:{by}" for event, by in deciding(tmp_path, text)) == told


def test_a_slice_of_control_mode_program_keeps_no_other_conditions(tmp_path: Path) -> None:
    text = (
        "my ($x, $y) = (1, 2);\nif ($y == 2) {\n  $y = 3;\n}\nmy $z = 5;\nif ($x) {\n  $z++;\n}\n"
        "print $z;\n"
    )
    (tmp_path / "prog.pl").write_text(text, "utf-8")
    found = stripe.trace("prog.pl", check=["stdout"], directory=tmp_path, control="program")
    lines = {found.trace.statements[found.trace.statement[event]].line
             for event in found.slices[0].events}  # fmt: skip
    assert lines == {1, 5, 6, 7, 9}

"""From coarse to fine: calls, rounds, statements, events of Perl programs."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from tests.stripe_perl.perl import needs_perl

pytestmark = needs_perl

PROGRAM = """\
sub add { my ($x, $y) = @_;
  return $x + $y }
sub waste { my $z = shift;
  return $z * 2 }
my $sum = 0;
for my $i (1 .. 4) {
  $sum = add($sum, $i);
  waste($i) }
print "$sum\\n";
"""


@pytest.mark.parametrize("level", ["calls", "rounds"])
def test_down_to_a_level(tmp_path: Path, level: str) -> None:
    (tmp_path / "prog.pl").write_text(PROGRAM, "utf-8")
    found = stripe.trace("prog.pl", check=["stdout"], directory=tmp_path, level=level)
    (answer,) = found.slices
    kept = {found.trace.statements[found.trace.statement[event]].line for event in answer.events}
    assert answer.levels[-1].certified
    assert kept == {1, 2, 5, 6, 7, 9}  # not what `waste` did

"""Programs that do not end."""

from __future__ import annotations

from pathlib import Path

import pytest

import stripe
from stripe.errors import NotReducible
from tests.stripe_perl.perl import needs_perl

pytestmark = needs_perl


def slice_of(folder: Path, text: str, **options: object) -> set[int]:
    """The lines of the slice for the check ``hang``."""
    (folder / "prog.pl").write_text(text, "utf-8")
    found = stripe.trace("prog.pl", check=["hang"], directory=folder, **options)  # type: ignore[arg-type]
    assert found.slices[0].verified
    return {found.trace.statements[found.trace.statement[event]].line
            for event in found.slices[0].events}  # fmt: skip


COUNTER = """\
my @n = (3, 1, 2); my $total = 0;
my $position = 0;
print "start\\n";
while ($position < @n) {
    my $v = $n[$position];
    if ($v != 1) {
        $total += $v;
        $position++;
    }
}
print $total;
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (COUNTER, {1, 4}),
        ("my @q = (1); my $z = 4;\n$z++;\nfor my $i (@q) {\n  push @q, $i }\n", {1, 3, 4}),
        ("my $z = 4;\nfor (my $i = 0; $i < 10; $i--) {\n  $z++ }\n", {2}),
        ("my $z = 4;\nmy $y = 1;\n1 while $z > 2;\n", {1, 3}),
        ("my $z = 4;\nmy $y = 1;\ndo { $y++ }\nuntil $z < 2;\n", {1, 3}),
        ("my $y;\nsub spin {\n  while (1) {\n    $y++;\n  }\n}\n$y = 1;\nspin();\n", {4, 8}),
        ("my $y = 1;\nfor (;;) {\n  $y++;\n  last if $y < 0;\n}\n", {4}),
    ],
)
def test_the_loop_that_goes_on_is_kept_with_what_makes_it(
    tmp_path: Path, text: str, lines: set[int]
) -> None:
    assert slice_of(tmp_path, text) == lines


def test_a_program_that_ends(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as refused:
        slice_of(tmp_path, "print 1;\n")
    assert refused.value.slug == "no-hang"


def test_a_program_that_waits(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as refused:
        slice_of(tmp_path, "print 1;\nsleep 100;\n", timeout=3.0)
    assert refused.value.slug == "waits-for-ever"


def test_a_program_that_calls_itself_again_and_again(tmp_path: Path) -> None:
    with pytest.raises(NotReducible) as refused:
        slice_of(tmp_path, "no warnings;\nsub f {\n  f(1 + shift);\n}\nf(0);\n")
    assert refused.value.slug == "no-loop"

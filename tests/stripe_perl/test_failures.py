"""Runs that fail: what ended them, and the criterion that they are given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.backend import UncaughtException
from stripe.checks import default_check, parse_check
from stripe.dd import Outcome
from tests.stripe_perl.perl import needs_perl, recorded, written

pytestmark = needs_perl


def raised(folder: Path, text: str) -> UncaughtException | None:
    """The exception that a program ends with."""
    with written(folder, text) as recording:
        with recording.replay(range(len(recording.trace))) as full:
            assert full.exception == recording.recorded.exception
        return recording.recorded.exception


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('print 1;\ndie "no bread\\n";\n', ("die", "no bread", 2, 1)),
        ("sub half {\n  return 1 / shift }\nhalf(2);\nhalf(0);\n",
         ("die", "Illegal division by zero", 2, 3)),
        ("use Carp;\nsub f {\n  croak 'bad' }\nf();\n",
         ("die", "bad at prog.pl line 3.\n\tmain::f() called at prog.pl line 4", 3, 1)),
        ("eval {\n  die 'inner' };\nmy @s = sort { $a <=> $b } 2, 1;\ndie 'outer';\n",
         ("die", "outer", 4, 2)),
        ('package E;\nuse overload q("") => sub { "told" };\npackage main;\ndie bless {}, "E";\n',
             ("die", "told", 4, 0)),
        ("local $SIG{__DIE__} = sub { print STDERR 'seen ' };\ndie 'x';\n",
         ("die", "seen x", 2, 1)),
    ],
)  # fmt: skip
def test_the_uncaught_exception_and_what_raised_it(
    tmp_path: Path, text: str, told: tuple[str, str, int, int]
) -> None:
    found = raised(tmp_path, text)
    assert found is not None
    assert (found.type, found.message, found.line, found.event) == told
    assert found.file == "prog.pl"


@pytest.mark.parametrize("text", ["print 1;\nexit 255;\n", "eval { die 'x' };\nprint 1;\n",
                                  "END { $? = 7 }\nprint 1;\n"])  # fmt: skip
def test_other_ends_are_no_exceptions(tmp_path: Path, text: str) -> None:
    assert raised(tmp_path, text) is None


def test_the_same_message_by_another_event_is_another_exception(tmp_path: Path) -> None:
    text = "sub f {\n  die 'x' if shift }\nf(0);\nf(1);\nf(1);\n"
    with written(tmp_path, text.replace("f(1);\n", "f($_[0] // 1);\n", 1)) as recording:
        criterion = parse_check("exception").reference(recording.recorded)
        assert recording.recorded.exception is not None
        event = recording.recorded.exception.event
        with recording.replay(range(len(recording.trace))) as run:
            assert criterion.judge(run) is Outcome.FAIL
        assert event is not None
        # Without the call that fails, and its events, nothing raises it.
        with recording.replay(range(event - 1)) as run:
            assert criterion.judge(run) is not Outcome.FAIL


MODULE = """package Cart;
sub new { bless { sum => 0, rate => 1 } }
sub add { $_[0]{sum} += $_[1] }
sub rebate { $_[0]{rate} -= $_[1] / 10 }
sub total { $_[0]{sum} * $_[0]{rate} }
1;
"""
TEST = """use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More tests => 3;
use Cart;
my $cart = Cart->new;
$cart->add(10);
is $cart->total, 10, 'ten';
$cart->rebate(5);
is $cart->total, 9.5, 'with (a) rebate';
is 1, 2, 'another';
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (("lib/Cart.pm", MODULE), ("t/cart.t", TEST)):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text, "utf-8")
    return tmp_path


def test_of_failing_tests_the_first_is_the_criterion(project: Path) -> None:
    with recorded(project / "t" / "cart.t") as recording:
        assert recording.recorded.status == 2  # Test::More speaks at the end
        criterion = default_check(recording.recorded).reference(recording.recorded)
        trace = recording.trace
        lines = [trace.statements[each].line for each in trace.statement]
        kept = [event for event, line in enumerate(lines) if line not in (7, 10)]
        with recording.replay(trace.close(kept)) as run:
            assert criterion.judge(run) is Outcome.FAIL  # though it has another number
        kept = [event for event, line in enumerate(lines) if line != 8]
        with recording.replay(trace.close(kept)) as run:
            assert criterion.judge(run) is Outcome.PASS


def test_why_a_test_fails(project: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "stripe", "why", "--max-time", "240", "t/cart.t"],
        cwd=project, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert said.stdout.startswith("Failed test 'with (a) rebate' at t/cart.t line 9."), said.stderr
    assert "where to look\n 1  t/cart.t" in said.stdout, said.stdout


COUNTS = """\
my $unused = 1;
my $sum = 0;
while (<STDIN>) {
  $sum += $_;
}
die "too much" if $sum > 7;
"""


def test_why_a_program_dies_is_asked_by_all_that_perl_offers(tmp_path: Path) -> None:
    """Its slice, its changes and its input; the rest is refused in words for Perl."""
    (tmp_path / "count.pl").write_text(COUNTS.replace("> 7", "> 70"))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    (tmp_path / "count.pl").write_text(COUNTS)
    asked = ["why", "--input", "1\n2\n8\n", "--max-time", "240", "--json", "-", "count.pl"]
    said = subprocess.run(
        [sys.executable, "-m", "stripe", *asked],
        cwd=tmp_path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    answer = json.loads(said.stdout)
    first = answer["places"][0]
    assert (first["file"], first["line"]) == ("count.pl", 6)
    assert {"changed", "raised", "kept"} <= {each["kind"] for each in first["why"]}, first
    made = {each["name"]: each for each in answer["experiments"]}
    assert made["changes"]["standing"] == made["slice"]["standing"] == "found"
    assert made["input"]["says"].startswith("with 1 of the 6 bytes of standard input"), made
    for name in ("suspects", "causes"):
        assert made[name]["standing"] == "skipped"
    assert not any("native" in each["says"] for each in made.values() if each["name"] != "causes")
    assert [step["line"] for step in answer["story"]] == [6]


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "count.pl").write_text(COUNTS)
    (tmp_path / "file").touch()
    asked = ["trace", "--input", "8\n", "count.pl"]
    said = subprocess.run(
        [sys.executable, "-m", "stripe", *asked],
        cwd=tmp_path, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file")},
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (said.returncode, "[no-perl-runtime]" in said.stderr) == (2, True), said.stderr
    assert "XDG_CACHE_HOME=DIR" in said.stderr

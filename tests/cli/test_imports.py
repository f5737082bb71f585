"""What the command imports: that takes longer than most programs run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ASKED = """\
import sys
from stripe.cli.main import main

status = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""


def imported(words: list[str], folder: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def test_help_needs_no_verb(tmp_path: Path) -> None:
    names = imported(["--help"], tmp_path)
    assert {each for each in names if each.startswith("stripe.")} <= {
        "stripe.cli", "stripe.cli.limits", "stripe.cli.main", "stripe.cli.output",
        "stripe.cli.verbs", "stripe.errors", "stripe.interrupts", "stripe.version",
    }  # fmt: skip


def test_a_trace_imports_nothing_that_takes_long_and_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    words = ["trace", "--python", sys.executable, "prog.py", "--check", "stdout"]
    imported(words, tmp_path)  # the first one compiles what it starts
    names = imported(words, tmp_path)
    assert "stripe.reduce.search" in names
    library = {
        "asyncio", "ctypes", "difflib", "jinja2", "logging", "multiprocessing", "pygments",
        "rich.live", "rich.syntax", "traceback",
    }  # fmt: skip
    ours = {
        "stripe.changes", "stripe.dd.published", "stripe.doctor", "stripe.inputs", "stripe.lsp",
        "stripe.report.html", "stripe.report.pictures", "stripe.report.sarif", "stripe.states",
        "stripe.suspects", "stripe.units", "stripe_gdb.recording",
        "stripe_pytrace.first_divergence",
        "stripe_pytrace.infinite_loops", "stripe_pytrace.places", "stripe_pytrace.self_check",
    }  # fmt: skip
    assert names.isdisjoint(library | ours)


def test_what_prints_no_report_needs_nothing_that_lays_one_out(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("print(1)\n")
    words = ["trace", "--python", sys.executable, "prog.py", "--json", "-", "--quiet"]
    assert "rich" not in imported(words, tmp_path) | imported(["--version"], tmp_path)

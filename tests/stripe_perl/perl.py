"""Recording Perl programs; what the tests of this folder share."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stripe.backend import Recording, Target
from stripe_perl.backend import PerlBackend

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "sample_programs"
PROGRAMS = Path(__file__).parent / "programs"

_HEADERS = [
    "perl",
    "-MConfig",
    "-MExtUtils::CBuilder",
    "-e",
    "exit !-f qq($Config{archlibexp}/CORE/perl.h)",
]


def why_no_perl() -> str:
    if shutil.which("perl") is None:
        return "needs perl"
    missing = subprocess.run(_HEADERS, capture_output=True, check=False).returncode != 0
    return "needs perl's headers (libperl-dev) and a C compiler" if missing else ""


needs_perl = pytest.mark.skipif(bool(why_no_perl()), reason=why_no_perl())


@contextmanager
def recorded(program: Path, stdin: str = "", **options: object) -> Iterator[Recording]:
    """A recording of a program, run in its folder."""
    target = Target(program.name, directory=program.parent, stdin=stdin.encode(), **options)  # type: ignore[arg-type]
    recording = PerlBackend().record(target)
    try:
        yield recording
    finally:
        recording.close()


@contextmanager
def written(folder: Path, text: str, stdin: str = "") -> Iterator[Recording]:
    """A recording of a program with this text."""
    program = folder / "prog.pl"
    program.write_text(text, "utf-8")
    with recorded(program, stdin) as recording:
        yield recording

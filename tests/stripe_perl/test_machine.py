"""What this machine lacks is said by name, with the package to install."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.errors import UsageError
from stripe_perl.backend import PerlBackend
from stripe_perl.runtime_library import SOURCES


def refusal(folder: Path, **options: object) -> UsageError:
    (folder / "prog.pl").write_text("print 1;\n", "utf-8")
    with pytest.raises(UsageError) as refused:
        PerlBackend().record(Target("prog.pl", directory=folder, **options))  # type: ignore[arg-type]
    return refused.value


def fake_perl(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a perl that tells its version, and that it was built in an empty folder."""
    perl = folder / "perl"
    perl.write_text(f"#!/bin/sh\nprintf '{version}\\n{folder}\\nx\\ncc\\n'\n", "utf-8")
    perl.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_without_perl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    error = refusal(tmp_path)
    assert (error.slug, "apt-get install perl" in error.hint) == ("no-perl", True)
    assert [each.state.value for each in PerlBackend().examine()] == ["less"]


def test_without_its_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_perl(tmp_path, "5.36.0", monkeypatch)
    error = refusal(tmp_path)
    assert (error.slug, "libperl-dev" in error.hint) == ("no-perl-headers", True)


def test_an_old_perl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_perl(tmp_path, "5.28.1", monkeypatch)
    assert refusal(tmp_path).slug == "old-perl"


def test_the_runtime_calls_nothing_that_perl_keeps_to_itself() -> None:
    # What perl's headers do not offer, later versions do not export: 5.38 and Perl_die_unwind.
    declared = re.compile(r"^\w[\w *]*\bPerl_\w+\(.*\);$", re.MULTILINE)
    assert declared.search("void Perl_die_unwind(pTHX_ SV *);\n")
    for source in SOURCES.iterdir():
        assert not declared.search(source.read_text("utf-8")), source.name


def test_what_is_not_there_for_perl_yet(tmp_path: Path) -> None:
    error = refusal(tmp_path, tty=True)
    assert (error.slug, "--tty" in error.message) == ("perl-option", True)

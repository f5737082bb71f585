"""Which files count as the user's code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from stripe_perl.scope import expression
from tests.stripe_perl.perl import needs_perl, recorded

PROGRAM = "use lib 'lib';\nuse Mine;\nuse Text::Abbrev;\nmy %a = abbrev('ab');\nprint Mine::f();\n"


@pytest.mark.parametrize(
    ("name", "path", "counts"),
    [
        ("JSON::PP", "/usr/share/perl/5.36/JSON/PP.pm", True),
        ("JSON::PP", "/usr/share/perl/5.36/JSON/PP/Boolean.pm", True),
        ("JSON::PP", "/usr/share/perl/5.36/JSON/PPx.pm", False),
        ("JSON", "/usr/share/perl/5.36/JSON/PP.pm", True),
        ("lib", "/home/me/lib/Mine.pm", True),
        ("lib/*.pm", "/home/me/lib/Mine.pm", True),
        ("lib/*.pm", "/home/me/lib/Deep/Mine.pm", False),
        ("lib/**/Mine.pm", "/home/me/lib/Deep/er/Mine.pm", True),
        ("a+b.pl", "/home/me/a+b.pl", True),
        ("a.b", "/home/me/axb", False),
        ("/opt/x", "/opt/x/Y.pm", True),
        ("/opt/x", "/home/opt/x/Y.pm", False),
    ],
)
def test_names_of_modules_files_folders(name: str, path: str, counts: bool) -> None:
    assert bool(re.search(expression([name], str), path)) == counts


@needs_perl
@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({}, {"prog.pl", "lib/Mine.pm"}),
        ({"include": ["Text::Abbrev"]}, {"prog.pl", "lib/Mine.pm", "Abbrev.pm"}),
        ({"only": ["prog.pl"]}, {"prog.pl"}),
        ({"exclude": ["lib"]}, {"prog.pl"}),
        ({"only": ["Mine"]}, {"lib/Mine.pm"}),
    ],
)
def test_what_is_recorded(tmp_path: Path, options: dict[str, Any], files: set[str]) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Mine.pm").write_text("package Mine;\nsub f {\n  5\n}\n1;\n", "utf-8")
    (tmp_path / "prog.pl").write_text(PROGRAM, "utf-8")
    with recorded(tmp_path / "prog.pl", **options) as recording:
        trace = recording.trace
        ran = {trace.files[trace.statements[each].file].path for each in trace.statement}
        assert {each if each in files else each.rpartition("/")[2] for each in ran} == files

"""Which source files count, by globs, and what is in them."""

from __future__ import annotations

from pathlib import Path

from stripe_gdb.sources import Sources


def test_globs_that_match_nothing() -> None:
    sources = Sources(Path("/here"), ["a.c", "lib"], ["*.h"], [])
    assert sources.unmatched(["/here/a.c", "/here/lib/../lib/b.c"]) == ["--only '*.h'"]
    assert sources.unmatched([]) == ["--include 'a.c'", "--include 'lib'", "--only '*.h'"]


def test_lines(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a;\n  int b;\n")
    sources = Sources(tmp_path, [], [], [])
    path = str(tmp_path / "a.c")
    assert [sources.line(path, number) for number in range(5)] == ["", "int a;", "int b;", "", ""]
    assert sources.line(str(tmp_path / "gone.c"), 1) == ""

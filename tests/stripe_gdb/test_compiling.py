"""The cache of compiled programs: never a stale one, and no compilation twice."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from stripe.kit.caches import caches
from stripe.sandbox.layers import find_layer
from stripe_gdb.compiler import compile_program
from tests.stripe_gdb.native import needs_cc

pytestmark = [needs_cc]

SOURCE = """\
#include <stdio.h>
#include "part.h"
__asm__(".section .rodata\\n.incbin \\"data.bin\\"\\n.text");
int answer(void);
int main(void) { printf("%d %d\\n", PART, answer()); return 0; }
"""


def made(folder: Path, name: str = "prog.c") -> str:
    """``first`` or ``before``: when it was compiled."""
    _, note = compile_program(folder / name, folder, find_layer()[0])
    return note.split(",")[0].removeprefix("Compiled ")


def library(folder: Path, answer: int) -> None:
    """Make ``libanswer.a``."""
    (folder / "answer.c").write_text(f"int answer(void) {{ return {answer}; }}\n")
    for command in (
        ["cc", "-c", "answer.c"],
        ["ar", "rcs", "libanswer.a", "answer.o"],
    ):
        subprocess.run(command, cwd=folder, check=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "prog.c").write_text(SOURCE)
    (folder / "part.h").write_text("#define PART 1\n")
    (folder / "data.bin").write_text("data")
    (folder / "my-cc").write_text('#!/bin/sh\nexec cc "$@"\n')
    (folder / "my-cc").chmod(0o755)
    library(folder, 1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CC", str(folder / "my-cc"))
    monkeypatch.setenv("LDLIBS", "libanswer.a")
    monkeypatch.chdir(folder)
    return folder


def other_compiler(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "my-cc").write_text('#!/bin/sh\nexec cc -DOTHER "$@"\n')


def updated_below(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """The compiler's file is the same, what it starts is another."""
    newer = folder / "newer"
    newer.mkdir()
    (newer / "cc").write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo 99.9; exit; fi\n'
        f'exec {shutil.which("cc")} "$@"\n'
    )
    (newer / "cc").chmod(0o755)
    patch.setenv("PATH", f"{newer}:{os.environ['PATH']}")


def variable(name: str) -> Callable[[Path, pytest.MonkeyPatch], None]:
    def change(folder: Path, patch: pytest.MonkeyPatch) -> None:
        patch.setenv(name, "1" if name == "SOURCE_DATE_EPOCH" else str(folder / "elsewhere"))

    change.__name__ = name
    return change


def header(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "part.h").write_text("#define PART 2\n")


def assembled_file(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "data.bin").write_text("else")


def linked_library(folder: Path, patch: pytest.MonkeyPatch) -> None:
    library(folder, 2)


def options(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CFLAGS", "-DMORE")


CHANGES = [
    *(other_compiler, updated_below, header, assembled_file, linked_library, options),
    *map(variable, ("CPATH", "LIBRARY_PATH", "COMPILER_PATH", "SOURCE_DATE_EPOCH")),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_noticed(
    change: Callable[[Path, pytest.MonkeyPatch], None],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert [made(folder), made(folder)] == ["first", "before"]
    change(folder, monkeypatch)
    assert [made(folder), made(folder)] == ["first", "before"]


def test_a_library_that_is_looked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDLIBS", f"-L{folder} -lanswer")
    assert [made(folder), made(folder)] == ["first", "before"]
    library(folder, 2)
    assert made(folder) == "first"


RUST = """\
fn main() {
    println!("{} {:?}", include_str!("a text"), option_env!("STRIPE_TEST_NAME"));
}
"""


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
def test_what_rust_programs_are_made_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "prog.rs").write_text(RUST)
    (folder / "a text").write_text("one")
    assert [made(folder, "prog.rs"), made(folder, "prog.rs")] == ["first", "before"]
    (folder / "a text").write_text("two")
    assert made(folder, "prog.rs") == "first"
    monkeypatch.setenv("STRIPE_TEST_NAME", "Ada")
    assert [made(folder, "prog.rs"), made(folder, "prog.rs")] == ["first", "before"]


@pytest.mark.parametrize("share", [0, 1, 2])
def test_what_was_cut_in_the_cache_is_made_again(share: int, folder: Path) -> None:
    assert made(folder) == "first"
    files = [each for each in caches().rglob("prog*") if each.is_file()]
    assert len(files) == 2
    for file in files:
        whole = file.stat().st_size
        os.truncate(file, whole * share // 3)
        assert [made(folder), made(folder)] == ["first", "before"]
        assert file.stat().st_size == whole
    files[0].unlink()
    assert [made(folder), made(folder)] == ["first", "before"]

"""ccache serves a place again and again, and never the answer."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from stripe.changes import find_changes
from stripe.changes.places import VersionPlace
from stripe.changes.snapshots import FILE, Tree
from stripe.changes.trial import Task, Trial
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer

CANNOT_TELL = "cat told; exit 125"

pytestmark = pytest.mark.skipif(
    find_layer()[0] is not Layer.NAMESPACES, reason="elsewhere there is no ccache"
)


def version(number: int) -> Tree:
    return {"a.c": (FILE, b"int number = %d;\n" % number)}


@pytest.mark.skipif(
    shutil.which("ccache") is None or shutil.which("cc") is None, reason="needs ccache and cc"
)
def test_what_was_compiled_once_is_not_compiled_again() -> None:
    build = "cc -c a.c && ccache --print-stats > told"
    with Trial(Task(CANNOT_TELL, build)) as trial:
        said = [trial.verdict(version(number)).said for number in (1, 2, 1)]
    hits = [sum(map(int, re.findall(rb"^\w+_cache_hit\t(\d+)", each, re.M))) for each in said]
    assert hits == [0, 0, 1]


def compilers(folder: Path, monkeypatch: pytest.MonkeyPatch, cached: str) -> None:
    """A compiler that copies, and a cache that does as it likes."""
    for name, script in (("cc", "cp a.c out"), ("ccache", cached)):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CCACHE_DISABLE", raising=False)


def test_it_is_for_builds_and_in_a_new_place_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compilers(tmp_path, monkeypatch, 'echo cached > "$CCACHE_DIR/it"; cp a.c out')
    build = 'cc; cat "$CCACHE_DIR/it" > told; true'
    with Trial(Task(f"cc; echo ${{CCACHE_DIR-none}}; {CANNOT_TELL}", build)) as trial:
        assert trial.verdict(version(1)).said == b"none\ncached\n"
        assert trial.afresh(version(1)).said == b"none\n"
    monkeypatch.setenv("CCACHE_DISABLE", "1")
    with Trial(Task(CANNOT_TELL, build)) as trial:
        assert trial.verdict(version(1)).said == b""


def test_a_cache_with_wrong_things_in_it_gives_no_wrong_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = (
        'echo >> "$CCACHE_DIR/calls"; '
        'if [ $(wc -l < "$CCACHE_DIR/calls") -gt 7 ]; then echo bad > out; else cp a.c out; fi'
    )
    compilers(tmp_path, monkeypatch, wrong)
    for name, line in (("good", "good"), ("bad", "bad")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.c").write_text(f"{line}\n")
        (tmp_path / name / "0").write_text(f"{line}\n")
    good, bad = str(tmp_path / "good"), str(tmp_path / "bad")
    result = find_changes(good, bad, test="! grep bad out", build="cc", journals=tmp_path)
    assert b"a.c" not in result.patch
    assert result.verified is False
    assert "with none of the changes applied, the outcome is fail" in result.untried
    assert not result.certified


def test_a_cache_that_a_test_has_replaced_is_made_anew(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    (precious / "in").mkdir(parents=True)
    place = VersionPlace(tmp_path, 0, Layer.NONE, "", keep=True)
    cache = tmp_path / "0" / "cache"
    (cache / "kept").touch()
    place.put(version(1))
    assert (cache / "kept").exists()
    shutil.rmtree(cache)
    cache.symlink_to(precious)
    place.put(version(1))
    assert not cache.is_symlink()
    assert list(cache.iterdir()) == []
    assert list(precious.iterdir()) == [precious / "in"]
    place.close()


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_build_tells_all_errors_and_a_test_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    rules = b"all: one two\none two:\n\t@echo no $@; false\n"
    tree = {"Makefile": (FILE, rules)}
    with Trial(Task("true", "make -s")) as trial:
        said = trial.verdict(tree).said
    assert b"no one\n" in said
    assert b"no two\n" in said
    with Trial(Task("make -s; exit 125", "true")) as trial:
        said = trial.verdict(tree).said
    assert b"no one\n" in said
    assert b"no two\n" not in said
    monkeypatch.setenv("MAKEFLAGS", "s")
    with Trial(Task("true", "make -s")) as trial:
        assert b"no two\n" not in trial.verdict(tree).said

"""Scratch folders: for nobody else, and gone when their maker is."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from stripe.sandbox.folders import Folder
from stripe.sandbox.scratch import Scratch
from tests.support.patience import PATIENCE, wait_until


def test_it_is_ours_alone(tmp_path):
    one, other = Scratch(str(tmp_path)), Scratch(str(tmp_path))
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o700
    assert one.path != other.path
    one.close()
    other.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_is_removed_whatever_its_modes(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir(0o755)
    scratch = Scratch(str(tmp_path))
    (scratch.path / "closed").mkdir()
    (scratch.path / "closed" / "file").write_text("")
    (scratch.path / "link").symlink_to(outside)
    (scratch.path / "closed").chmod(0)
    scratch.close()
    scratch.close()
    assert list(tmp_path.iterdir()) == [outside]
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_it_is_removed_though_the_cleaner_was_killed(tmp_path):
    scratch = Scratch(str(tmp_path))
    (scratch.path / "closed").mkdir(mode=0)
    scratch._cleaner.kill()
    scratch._cleaner.wait()
    scratch.close()
    assert list(tmp_path.iterdir()) == []


def test_it_goes_with_its_maker(tmp_path):
    code = (
        "import os, sys\nsys.path[:0] = sys.argv[1].split(':')\n"
        "from stripe.sandbox.scratch import Scratch\nscratch = Scratch(sys.argv[2])\n"
        "os.mkdir(scratch.path / 'inner')\nos.kill(os.getpid(), 9)\n"
    )
    paths = ":".join(path for path in sys.path if path)
    subprocess.run([sys.executable, "-c", code, paths, str(tmp_path)])
    wait_until(lambda: not list(tmp_path.iterdir()))


def test_it_goes_however_long_somebody_writes_there(tmp_path, monkeypatch):
    """As what is behind walls does until the guard has lost its patience."""
    tools, place, tries = tmp_path / "tools", tmp_path / "place", tmp_path / "tries"
    place.mkdir()
    tools.mkdir()
    (tools / "sleep").write_text("#!/bin/sh\n")
    (tools / "rm").write_text(
        f'#!/bin/sh\necho >> "{tries}"\n'
        f'[ $(wc -l < "{tries}") -gt 40 ] && exec {which("rm")} "$@"\n'
    )
    for tool in tools.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr("stripe.sandbox.scratch._WAIT_SECONDS", 0.0)
    scratch = Scratch(str(place))
    monkeypatch.setenv("PATH", os.environ["PATH"].partition(":")[2])
    scratch.close()
    assert scratch._cleaner.wait(PATIENCE) == 0
    assert list(place.iterdir()) == []
    assert len(tries.read_text().splitlines()) == 41


def test_the_next_one_removes_what_belongs_to_nobody(tmp_path, monkeypatch):
    """Its maker, and who was to remove it, were killed together: or the power has failed."""
    monkeypatch.setattr("stripe.sandbox.scratch._swept", set())
    used = Scratch(str(tmp_path))
    names = ("stripe-" + 16 * "a", "stripe-" + 16 * "b", "stripe-kept-1", "stripe-" + 16 * "c")
    left, new, other, file = (tmp_path / name for name in names)
    for folder in (left, new, other):
        (folder / "closed").mkdir(parents=True)
    (left / "closed").chmod(0)
    file.write_text("no folder\n")
    for path in (used.path, left, other, file):
        os.utime(path, (0, 0))
    monkeypatch.setattr("stripe.sandbox.scratch._swept", set())
    Scratch(str(tmp_path)).close()
    assert sorted(tmp_path.iterdir()) == sorted([used.path, new, other, file])
    used.close()


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        Scratch(str(tmp_path / "nowhere"))
    assert os.listdir(tmp_path) == []


def test_who_is_interrupted_on_the_way_to_closing_it_leaves_nothing(tmp_path):
    """Though its cleaner was killed as well."""
    code = """
from stripe.sandbox.scratch import Scratch
scratch = Scratch()
(scratch.path / "file").write_text("")
scratch._cleaner.kill()
scratch._cleaner.wait()
raise KeyboardInterrupt
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert "KeyboardInterrupt" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_does_not_come_back(tmp_path):
    """A thread that is late may still ask for what was in it."""
    scratch = Scratch(str(tmp_path))
    folder = Folder(scratch.path / "home")
    scratch.close()
    with pytest.raises(FileNotFoundError):
        folder.clear()
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_there_is_one_way_to_make_folders_that_go():
    """No other one is known to who cleans up after a kill."""
    top = Path(__file__).parents[2]
    made = re.compile(r"\b(mkdtemp|TemporaryDirectory)\(")
    found = [
        (path.name, name)
        for place in ("stripe", "backends", "plugins")
        for path in (top / place).rglob("*.py")
        for name in made.findall(path.read_text("utf-8"))
    ]
    assert found == [("output.py", "mkdtemp")]  # which is to stay: an answer

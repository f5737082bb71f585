"""Large working directories: overlays where there are any, else one copy for each slot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stripe.backend import End, Observation
from stripe.checks.command import CommandPart
from stripe.dd import Outcome
from stripe.errors import UsageError
from stripe.sandbox import workspace as module
from stripe.sandbox.layers import refused
from stripe.sandbox.overlaid import find
from stripe.sandbox.reads import Reads
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace
from tests.sandbox.test_workspace import build, picture
from tests.support.patience import PATIENCE

NAMESPACES = refused(Layer.NAMESPACES)
needs_namespaces = pytest.mark.skipif(NAMESPACES is not None, reason=str(NAMESPACES))


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few files are many here, and temporary ones have a place of their own."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(module, "LARGE_FILES", 0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    top = build(tmp_path / "project")
    (top / ".git").mkdir()
    (top / ".git" / "HEAD").write_text("ref\n")
    return top


@pytest.fixture
def shown(home: Path) -> Iterator[Workspace]:
    """A workspace that shows the directory as overlays; in the end that is as it was."""
    if NAMESPACES is not None:
        pytest.skip(NAMESPACES)
    before = picture(home)
    with Workspace(home, 2, layer=Layer.NAMESPACES) as workspace:
        assert not workspace.copied
        yield workspace
    assert picture(home) == before


def run(workspace: Workspace, code: str, slot: int = 0) -> str:
    """Run Python code in a slot; what it prints."""
    command = workspace.walled(slot, [sys.executable, "-I", "-c", code])
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_nothing_is_copied(shown: Workspace) -> None:
    shown.slot(0)
    there = [name for _, _, names in os.walk(shown.root) for name in names]
    assert "data.bin" not in there
    assert any("overlay" in note for note in shown.notes)


def test_runs_see_all_of_the_directory_where_it_is(shown: Workspace, home: Path) -> None:
    said = run(shown, "import os; print(os.getcwd(), sorted(os.listdir('.')))")
    assert said == f"{home} {sorted(os.listdir(home))}"


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("open('new', 'w')", ["new"]),
        ("open('main.py', 'a').write('#')", ["main.py"]),
        ("open('main.py', 'a').close()", []),
        ("import os; os.remove('main.py')", ["main.py"]),
        (
            "import shutil; shutil.rmtree('package')",
            ["package", "package/__init__.py", "package/deep", "package/deep/notes.txt",
             "package/twin-b"],
        ),
        (
            "import shutil, os; shutil.rmtree('package'); os.mkdir('package')\n"
            "open('package/new', 'w')",
            ["package/__init__.py", "package/deep", "package/deep/notes.txt", "package/new",
             "package/twin-b"],
        ),
        ("import os; os.chmod('main.py', 0o600)", ["main.py"]),
        ("import os; os.chmod('.', 0o700)", ["."]),
        ("import os; os.symlink('x', 'new')", ["new"]),
        ("import os; os.remove('link'); os.symlink('main.py', 'link')", ["link"]),
        ("import os; os.mkfifo('pipe')", ["pipe"]),
        ("import os; os.mkdir('empty/__pycache__'); open('empty/__pycache__/x', 'w')", []),
        ("import os; os.remove('empty.txt'); os.mkdir('empty.txt')", ["empty.txt"]),
        ("import os; os.rename('main.py', 'other.py')", ["main.py", "other.py"]),
        ("import os; os.utime('main.py', (1, 1))", ["main.py"]),
        ("open('.git/HEAD', 'w')", [".git/HEAD"]),
    ],
)  # fmt: skip
def test_what_a_run_changes_is_told_and_undone(
    shown: Workspace, code: str, changed: list[str]
) -> None:
    shown.directory.chmod(0o755)
    before = run(shown, LOOK)
    run(shown, code)
    assert shown.changes(0) == changed
    shown.restore(0)
    assert shown.changes(0) == []
    assert run(shown, LOOK) == before


LOOK = """\
import os, zlib
for folder, folders, names in os.walk('.'):
    folders.sort()
    for name in sorted([*folders, *names]):
        path = os.path.join(folder, name)
        content = open(path, 'rb').read() if os.path.isfile(path) else b''
        print(path, os.lstat(path).st_mode, zlib.crc32(content))
"""


def test_the_next_command_finds_what_was_left_until_it_is_undone(shown: Workspace) -> None:
    """As in a copy."""
    run(shown, "import shutil; open('new', 'w').write('x'); shutil.rmtree('package')")
    look = "import os; print(os.path.exists('new'), os.path.exists('package'))"
    assert run(shown, look) == "True False"
    assert run(shown, look, 1) == "False True"
    shown.restore(0)
    assert run(shown, look) == "False True"


def test_content_is_found_wherever_it_is(shown: Workspace, home: Path) -> None:
    run(
        shown,
        "import os, shutil\n"
        "open('new', 'w').write('new')\n"
        "os.symlink('package/deep', 'short')\n"
        "open('short/more', 'w').write('more')\n"
        f"os.symlink({str(home)!r} + '/main.py', 'absolute')\n"
        "os.remove('twin-a')\n"
        "os.chmod('sealed', 0o755); shutil.rmtree('sealed')\n",
    )
    folder = shown.slot(0).directory

    def content(path: str) -> str | None:
        place = find(folder, path)
        return place.read_text() if place.exists() else None

    assert content("new") == "new"
    assert content("main.py") == content("absolute") == "print('hello')\n"
    assert content("short/more") == content("package/deep/more") == "more"
    assert content("short/notes.txt") == content("link") == "one\ntwo\n"
    assert content("package/../new") == "new"
    assert content("twin-a") is content("sealed/inside.txt") is content("nowhere") is None


@pytest.mark.parametrize(
    ("check", "outcome"),
    [
        ("cmd:test -s new && test -e main.py && ! test -e link", Outcome.FAIL),
        ("cmd:test $STRIPE_DIRECTORY = $PWD && grep -q one package/deep/notes.txt", Outcome.FAIL),
        ("cmd:test -e link", Outcome.PASS),
    ],
)
def test_commands_of_checks_see_what_a_run_left(
    shown: Workspace, check: str, outcome: Outcome
) -> None:
    run(shown, "import os; open('new', 'w').write('x'); os.remove('link')")
    seen = Observation(End.EXITED, 0, b"", b"", shown.slot(0).directory)
    assert CommandPart(check, check.removeprefix("cmd:")).judge(seen) is outcome


def test_a_full_disk_is_told(shown: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    run(shown, "open('new', 'w').write('x')")
    folder = shown.slot(0).directory
    (folder.parent.parent / "failed").write_text("28")
    with pytest.raises(UsageError) as error:
        shown.changes(0)
    assert error.value.slug == "system-limit"


def edited(home: Path, path: str, text: str) -> None:
    (home / path).write_text(text)
    os.utime(home / path, ns=(time.time_ns(), time.time_ns()))


@pytest.mark.parametrize("layer", [Layer.NAMESPACES, Layer.NONE])
@pytest.mark.parametrize(
    ("read", "path", "text", "noticed"),
    [
        ("main.py", "main.py", "other", True),
        ("main.py", "main.py", "print('hello')\n", False),
        ("main.py", "data.bin", "other", False),
        ("package/", "package/new", "new", True),
        ("nowhere", "nowhere", "new", True),
    ],
)
def test_an_edit_of_what_is_read_is_noticed(
    home: Path, layer: Layer, read: str, path: str, text: str, noticed: bool
) -> None:
    if layer is Layer.NAMESPACES and NAMESPACES is not None:
        pytest.skip(NAMESPACES)
    with Workspace(home, layer=layer) as workspace:
        stamps = workspace.stamps(0)
        workspace.watch(stamps, Reads({read: stamps.stamp(read)}))
        workspace.require_unchanged()
        assert workspace._edits is not None
        workspace._edits._next = 0.0
        edited(home, path, text)
        if not noticed:
            workspace.require_unchanged()
            return
        with pytest.raises(UsageError, match=path.partition("/")[0]) as error:
            workspace.require_unchanged()
        assert error.value.slug == "directory-changed"


class TestCopied:
    """Where there are no overlays, slots are made from the directory itself."""

    def test_each_slot_that_is_used_is_a_copy_and_there_is_no_other(self, home: Path) -> None:
        before = picture(home)
        with Workspace(home, 3, layer=Layer.NONE) as workspace:
            copy = workspace.slot(0).directory
            found = picture(copy)
            shutil.rmtree(copy / "sealed", ignore_errors=True)
            (copy / "main.py").write_text("other")
            (copy / "new").touch()
            workspace.restore(0)
            assert picture(copy) == found
            copies = list(workspace.root.rglob("main.py"))
        assert copies == [copy / "main.py"]
        assert {path for path in before if not path.startswith(".git")} == set(found)
        assert picture(home) == before

    def test_a_file_that_was_edited_is_no_more_what_was_copied(self, home: Path) -> None:
        with Workspace(home, layer=Layer.NONE) as workspace:
            copy = workspace.slot(0).directory
            (copy / "main.py").unlink()
            edited(home, "main.py", "print('other')\n")
            with pytest.raises(UsageError) as error:
                workspace.restore(0)
        assert error.value.slug == "directory-changed"

    def test_a_file_that_is_gone_meanwhile_is_told(self, home: Path) -> None:
        with Workspace(home, 2, layer=Layer.NONE) as workspace:
            (home / "main.py").unlink()
            with pytest.raises(UsageError) as error:
                workspace.slot(0)
        assert error.value.slug == "directory-changed"

    @needs_namespaces
    def test_one_that_acts_for_real_has_a_copy(self, home: Path) -> None:
        with Workspace(home, 2, layer=Layer.NAMESPACES, live={1}) as workspace:
            assert workspace.copied
            assert (workspace.slot(1).directory / "main.py").exists()
            assert run(workspace, "print(open('.git/HEAD').read())") == "ref"

    def test_how_far_it_is_is_told(self, tmp_path: Path) -> None:
        many = tmp_path / "many"
        many.mkdir()
        for number in range(1_200):
            (many / str(number)).touch()
        told: list[str] = []
        with Workspace(many, layer=Layer.NONE, tell=told.append) as workspace:
            assert len(list(workspace.slot(0).directory.iterdir())) == 1_200
        assert told
        assert all("of 1,200" in each for each in told)

    def test_copying_ends_when_time_is_over(self, tmp_path: Path) -> None:
        many = tmp_path / "many"
        many.mkdir()
        for number in range(1_200):
            (many / str(number)).touch()
        left = iter(range(3))

        def check() -> None:
            if next(left, None) is None:
                raise TimeoutError

        workspace = Workspace(many, layer=Layer.NONE, check=check)
        with workspace, pytest.raises(TimeoutError):
            workspace.slot(0)

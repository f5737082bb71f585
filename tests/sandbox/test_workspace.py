"""Scratch copies: what a run may do to one, and what is there again afterwards."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stripe.errors import UsageError
from stripe.sandbox import copies
from stripe.sandbox import workspace as module
from stripe.sandbox.survey import FolderSurvey
from stripe.sandbox.walls import Layer
from stripe.sandbox.workspace import Workspace


def modes_do_not_bind_us() -> bool:
    """Whether we may read what its mode forbids: usually, whether we are root."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sealed"
        path.touch(mode=0o000)
        return os.access(path, os.R_OK, effective_ids=True)


as_user = pytest.mark.skipif(modes_do_not_bind_us(), reason="root may read everything")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own for temporary files, so that tests can see what is left there."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A working directory as users have it."""
    return build(tmp_path / "project")


def build(top: Path) -> Path:
    (top / "package" / "deep").mkdir(parents=True)
    (top / "empty").mkdir()
    (top / "main.py").write_text("print('hello')\n")
    (top / "data.bin").write_bytes(bytes(range(256)) * 5000)
    (top / "empty.txt").touch()
    (top / "package" / "__init__.py").write_text("")
    (top / "package" / "deep" / "notes.txt").write_text("one\ntwo\n")
    (top / "script.sh").write_text("#!/bin/sh\n")
    (top / "script.sh").chmod(0o755)
    (top / "link").symlink_to("package/deep/notes.txt")
    (top / "dangling").symlink_to("nowhere")
    (top / "twin-a").write_text("twins")
    os.link(top / "twin-a", top / "package" / "twin-b")
    (top / "sealed").mkdir()
    (top / "sealed" / "inside.txt").write_text("sealed")
    (top / "sealed").chmod(0o555)
    for number, path in enumerate(sorted(top.rglob("*"))):
        time = 1_600_000_000_123_456_789 + number * 1_000_000_007
        os.utime(path, ns=(time, time), follow_symlinks=False)
    return top


def picture(top: Path) -> dict[str, tuple[object, ...]]:
    """All that can be seen of a tree: kinds, modes, times, contents, links."""
    found: dict[str, tuple[object, ...]] = {}
    numbers: dict[int, int] = {}
    for folder, folders, files in os.walk(top):
        for name in sorted([*folders, *files, "."]):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content: object = None
            if stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                content = Path(path).read_bytes(), status.st_nlink
                if status.st_nlink > 1:
                    number = numbers.setdefault(status.st_ino, len(numbers))
                    content = content, number
            rel = os.path.relpath(path, top)
            found[rel] = status.st_mode, status.st_mtime_ns, content
    return found


class TestCopy:
    def test_a_slot_is_a_faithful_copy(self, home: Path) -> None:
        with Workspace(home, 2) as workspace:
            assert picture(workspace.slot(0).directory) == picture(home)
            assert picture(workspace.slot(1).directory) == picture(home)

    def test_the_copy_shares_no_file_with_the_original(self, home: Path) -> None:
        with Workspace(home) as workspace:
            (workspace.slot(0).directory / "main.py").write_text("changed")
            assert (home / "main.py").read_text() == "print('hello')\n"

    def test_the_copy_has_the_name_of_the_original(self, home: Path) -> None:
        with Workspace(home) as workspace:
            assert workspace.slot(0).directory.name == "project"

    def test_a_slot_is_made_when_it_is_first_asked_for(self, home: Path) -> None:
        with Workspace(home, 3) as workspace:
            before = set(os.listdir(workspace.root))
            slot = workspace.slot(2)
            assert set(os.listdir(workspace.root)) - before == {"0002"}
            assert workspace.slot(2) is slot

    def test_each_slot_has_its_own_temporary_folder_and_output_files(self, home: Path) -> None:
        with Workspace(home, 2) as workspace:
            one, two = workspace.slot(0), workspace.slot(1)
            assert list(one.tmp.iterdir()) == []
            assert len({one.tmp, two.tmp, one.out, two.out, one.err, two.err}) == 6
            one.out.write_bytes(b"output")
            workspace.restore(0)
            assert one.out.read_bytes() == b"output"

    def test_there_are_only_as_many_slots_as_jobs(self, home: Path) -> None:
        with Workspace(home, 2) as workspace, pytest.raises(IndexError):
            workspace.slot(2)

    @pytest.mark.parametrize("name", [".git", ".hg", ".svn", "node_modules", "__pycache__", ".tox"])
    def test_version_control_and_caches_are_not_copied(self, home: Path, name: str) -> None:
        (home / "package" / name).mkdir()
        (home / "package" / name / "big").touch()
        with Workspace(home) as workspace:
            assert not (workspace.slot(0).directory / "package" / name).exists()

    def test_virtual_environments_are_not_copied(self, home: Path) -> None:
        (home / "env" / "lib").mkdir(parents=True)
        (home / "env" / "pyvenv.cfg").touch()
        with Workspace(home) as workspace:
            assert not (workspace.slot(0).directory / "env").exists()
            assert any("env" in note for note in workspace.notes)

    def test_a_working_directory_that_is_an_environment_is_copied(self, home: Path) -> None:
        (home / "pyvenv.cfg").touch()
        with Workspace(home) as workspace:
            assert (workspace.slot(0).directory / "main.py").exists()

    @pytest.mark.parametrize(("count", "end"), [(1, "p0."), (5, "p4."), (7, "p4 and 2 more.")])
    def test_a_note_has_five_names(self, tmp_path: Path, count: int, end: str) -> None:
        (tmp_path / "top").mkdir()
        for number in range(count):
            os.mkfifo(tmp_path / "top" / f"p{number}")
        [note] = FolderSurvey(str(tmp_path / "top"), 1, 9).notes()
        assert note.endswith(end)

    def test_sockets_and_fifos_are_left_out_with_a_note(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkfifo(home / "pipe")
        monkeypatch.chdir(home)  # a socket's path must be short
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("talk")
            with Workspace(home) as workspace:
                names = set(os.listdir(workspace.slot(0).directory))
                assert names.isdisjoint({"pipe", "talk"})
                assert any("pipe" in note and "talk" in note for note in workspace.notes)

    @as_user
    def test_what_cannot_be_read_is_left_out_with_a_note(self, home: Path) -> None:
        (home / "secret").touch(mode=0o000)
        (home / "vault").mkdir(mode=0o000)
        try:
            with Workspace(home) as workspace:
                names = set(os.listdir(workspace.slot(0).directory))
                assert names.isdisjoint({"secret", "vault"})
                assert any("secret" in note and "vault" in note for note in workspace.notes)
        finally:
            (home / "vault").chmod(0o700)

    def test_a_file_that_cannot_be_copied_is_left_out_with_a_note(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copy = copies.copy_file

        def picky(old: str, new: str, clone: bool) -> None:
            if old.endswith("data.bin"):
                raise OSError(errno.EIO, "I/O error")
            copy(old, new, clone)

        monkeypatch.setattr(copies, "copy_file", picky)
        with Workspace(home) as workspace:
            assert not (workspace.slot(0).directory / "data.bin").exists()
            assert any("data.bin" in note for note in workspace.notes)

    def test_names_need_not_be_text(self, home: Path) -> None:
        name = os.fsdecode(b"caf\xe9 \xff\n.txt")
        (home / name).write_text("x")
        os.mkfifo(home / os.fsdecode(b"pipe\xff"))
        with Workspace(home) as workspace:
            copy = workspace.slot(0).directory / name
            assert copy.read_text() == "x"
            copy.write_text("y")
            assert workspace.changes(0) == [name]
            workspace.restore(0)
            assert copy.read_text() == "x"
            for note in workspace.notes:
                note.encode()  # can be printed

    def test_deep_trees(self, home: Path) -> None:
        deep = home
        for _ in range(600):
            deep /= "down"
            deep.mkdir()
        (deep / "bottom").touch()
        with Workspace(home) as workspace:
            copy = workspace.slot(0).directory / deep.relative_to(home)
            (copy / "bottom").unlink()
            workspace.restore(0)
            assert (copy / "bottom").exists()
        assert not workspace.root.exists()

    def test_the_directory_may_be_where_temporary_files_go(self, temporary: Path) -> None:
        (temporary / "main.py").touch()
        with Workspace(temporary) as workspace:
            assert os.listdir(workspace.slot(0).directory) == ["main.py"]
            assert not workspace.root.is_relative_to(temporary)

    def test_copies_are_where_temporary_files_go(self, home: Path, temporary: Path) -> None:
        with Workspace(home) as workspace:
            assert workspace.root.parent == temporary

    def test_a_missing_directory_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError) as caught:
            Workspace(tmp_path / "gone")
        assert caught.value.slug == "no-such-directory"


class TestInNamespaces:
    """What runs find at the user's directory is the copy."""

    def test_runs_find_the_copy_where_the_directory_is(self, home: Path) -> None:
        with Workspace(home, 2, layer=Layer.NAMESPACES, live={1}) as workspace:
            assert workspace.slot(0).inside == home
            assert workspace.slot(1).inside == workspace.slot(1).directory

    def test_but_not_where_it_would_stand_for_itself(
        self, temporary: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: False)  # no other place to copy to
        with Workspace(temporary, layer=Layer.NAMESPACES) as workspace:
            assert workspace.root.parent == temporary
            assert workspace.slot(0).inside == workspace.slot(0).directory

    def test_what_is_not_copied_has_a_place_where_it_is_shown(self, home: Path) -> None:
        for name in (".git", "node_modules", "__pycache__"):
            (home / "package" / name).mkdir(mode=0o750)
            (home / "package" / name / "file").touch()
        with Workspace(home, layer=Layer.NAMESPACES) as workspace:
            copy = workspace.slot(0).directory / "package"
            for name in (".git", "node_modules"):
                assert list((copy / name).iterdir()) == []
                assert stat.S_IMODE((copy / name).stat().st_mode) == 0o750
            assert not (copy / "__pycache__").exists()
            assert workspace.notes == []


class TestLinks:
    """A run must neither miss a file behind a link nor reach the user's directory by one."""

    def test_an_absolute_link_into_the_directory_goes_to_the_copy(self, home: Path) -> None:
        (home / "absolute").symlink_to(home / "main.py")
        with Workspace(home) as workspace:
            (workspace.slot(0).directory / "absolute").write_text("overwritten")
            assert (home / "main.py").read_text() == "print('hello')\n"
            assert workspace.changes(0) == ["main.py"]

    def test_also_when_it_leaves_and_comes_back(self, home: Path) -> None:
        (home / "package" / "round").symlink_to("../../project/main.py")
        with Workspace(home) as workspace:
            link = workspace.slot(0).directory / "package" / "round"
            assert link.resolve() == workspace.slot(0).directory / "main.py"

    def test_also_when_the_directory_is_known_by_another_path(self, home: Path) -> None:
        other = home.parent / "other"
        other.symlink_to(home)
        (home / "absolute").symlink_to(other / "main.py")
        with Workspace(other) as workspace:
            link = workspace.slot(0).directory / "absolute"
            assert link.resolve() == workspace.slot(0).directory / "main.py"

    def test_a_relative_link_out_of_the_directory_goes_where_it_went(self, home: Path) -> None:
        (home.parent / "shared.txt").write_text("shared")
        (home / "package" / "out").symlink_to("../../shared.txt")
        with Workspace(home) as workspace:
            assert (workspace.slot(0).directory / "package" / "out").read_text() == "shared"
            assert workspace.changes(0) == []


class TestLimits:
    def test_the_limit_that_was_met_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "top").mkdir()
        for name in ("one", "other"):
            (tmp_path / "top" / name).write_bytes(bytes(10))
        told = {(20, 1): "1 files and folders", (19, 1): "19 bytes", (19, 9): "19 bytes"}
        for limits, limit in told.items():
            with pytest.raises(UsageError, match=f"holds more than {limit};"):
                FolderSurvey(str(tmp_path / "top"), *limits)
        assert FolderSurvey(str(tmp_path / "top"), 20, 2).bytes == 20

    def test_too_many_files(self, home: Path) -> None:
        (home / "many").mkdir()
        for number in range(30):
            (home / "many" / str(number)).touch()
        with pytest.raises(UsageError) as caught:
            Workspace(home, max_files=25)
        assert caught.value.slug == "directory-too-large"
        assert "many" in caught.value.message
        assert "smaller directory" in caught.value.hint

    def test_too_many_bytes(self, home: Path, temporary: Path) -> None:
        (home / "package" / "film").write_bytes(bytes(1_200_000))
        with pytest.raises(UsageError) as caught:
            Workspace(home, max_bytes=2_000_000)
        assert "package (1.2 MB" in caught.value.message
        assert list(temporary.iterdir()) == []

    def test_what_is_not_copied_does_not_count(self, home: Path) -> None:
        (home / ".git").mkdir()
        (home / ".git" / "pack").write_bytes(bytes(5_000_000))
        Workspace(home, max_bytes=2_000_000).close()

    @pytest.mark.skipif(not Path("/usr/lib").is_dir(), reason="needs a system of some size")
    def test_the_whole_machine_is_refused_soon(self) -> None:
        with pytest.raises(UsageError) as caught:
            Workspace(Path("/"), max_files=2000)
        assert caught.value.slug == "directory-too-large"

    def test_copies_that_cannot_fit_are_refused_before_copying(
        self, home: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "can_clone", lambda folder: False)
        usage = shutil.disk_usage(home)._replace(free=3_000_000)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
        Workspace(home, 1).close()
        with pytest.raises(UsageError) as caught:
            Workspace(home, 2)
        assert caught.value.slug == "no-space-for-copies"
        assert list(temporary.iterdir()) == []

    def test_a_disk_that_fills_up_is_explained(
        self, home: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(old: str, new: str, clone: bool) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(copies, "copy_file", full)
        with pytest.raises(UsageError) as caught:
            Workspace(home)
        assert caught.value.slug == "no-space-for-copies"
        assert list(temporary.iterdir()) == []


def write_in_place_and_hide(work: Path) -> None:
    status = os.stat(work / "data.bin")
    with open(work / "data.bin", "r+b") as file:
        file.write(b"changed")
    os.utime(work / "data.bin", ns=(status.st_atime_ns, status.st_mtime_ns))


def replace_folder_by_link(work: Path) -> None:
    shutil.rmtree(work / "package")
    (work / "package").symlink_to("/")


def replace_file_by_folder(work: Path) -> None:
    (work / "main.py").unlink()
    (work / "main.py" / "sub").mkdir(parents=True)
    (work / "main.py" / "sub" / "file").touch()


def seal_everything(work: Path) -> None:
    (work / "new" / "sub").mkdir(parents=True)
    (work / "new" / "sub" / "file").touch()
    for folder in ("new/sub", "new", "package/deep", "package", "."):
        (work / folder).chmod(0o000)


def bury_a_file(work: Path) -> None:
    """Make a folder too deep for any path: only relative steps reach it."""
    descriptor = os.open(work, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 200, dir_fd=descriptor)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(os.open("bottom", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)


def redirect_link(work: Path) -> None:
    (work / "link").unlink()
    (work / "link").symlink_to("main.py")


def cache_bytecode(work: Path) -> None:
    (work / "package" / "__pycache__").mkdir()
    (work / "package" / "__pycache__" / "m.pyc").touch()


def write_through_twin(work: Path) -> None:
    with open(work / "twin-a", "a") as file:
        file.write(" parted")


def part_twins(work: Path) -> None:
    shutil.copy2(work / "twin-a", work / "copy")
    os.replace(work / "copy", work / "package" / "twin-b")


def remove_all(work: Path) -> None:
    for name in os.listdir(work):
        path = work / name
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
            shutil.rmtree(path)
        else:
            path.unlink()


def remove_itself(work: Path) -> None:
    remove_all(work)
    work.rmdir()


DAMAGE: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "nothing": (lambda work: None, []),
    "reading": (lambda work: (work / "data.bin").read_bytes(), []),
    "file added": (lambda work: (work / "package" / "new").touch(), ["package/new"]),
    "file removed": (lambda work: (work / "main.py").unlink(), ["main.py"]),
    "file appended to": (lambda work: (work / "empty.txt").write_text("x"), ["empty.txt"]),
    "file written, time put back": (write_in_place_and_hide, ["data.bin"]),
    "file renamed": (
        lambda work: (work / "main.py").rename(work / "empty" / "m.py"),
        ["empty/m.py", "main.py"],
    ),
    "file replaced by folder": (
        replace_file_by_folder,
        ["main.py", "main.py/sub", "main.py/sub/file"],
    ),
    "mode changed": (lambda work: (work / "script.sh").chmod(0o600), ["script.sh"]),
    "same mode set": (lambda work: (work / "script.sh").chmod(0o755), []),
    "time changed": (lambda work: os.utime(work / "main.py"), ["main.py"]),
    "folder made": (lambda work: (work / "a" / "b").mkdir(parents=True), ["a", "a/b"]),
    "folder removed": (lambda work: (work / "empty").rmdir(), ["empty"]),
    "folder moved": (
        lambda work: (work / "package").rename(work / "p"),
        [
            "p",
            "p/__init__.py",
            "p/deep",
            "p/deep/notes.txt",
            "p/twin-b",
            "package",
            "package/__init__.py",
            "package/deep",
            "package/deep/notes.txt",
            "package/twin-b",
        ],
    ),
    "folder replaced by link": (
        replace_folder_by_link,
        [
            "package",
            "package/__init__.py",
            "package/deep",
            "package/deep/notes.txt",
            "package/twin-b",
        ],
    ),
    "folder's mode changed": (lambda work: (work / "empty").chmod(0o500), ["empty"]),
    "link redirected": (redirect_link, ["link"]),
    "written through a link": (
        lambda work: (work / "link").write_text("x"),
        ["package/deep/notes.txt"],
    ),
    "written through a hard link": (write_through_twin, ["package/twin-b", "twin-a"]),
    "hard links parted": (part_twins, []),
    "bytecode cached": (cache_bytecode, []),
    "written beside": (lambda work: (work.parent / "beside").touch(), ["../beside"]),
    "written above": (lambda work: (work.parent.parent / "above").touch(), ["../../above"]),
    "pipe made": (lambda work: os.mkfifo(work / "pipe"), ["pipe"]),
}


class TestRestore:
    @pytest.mark.parametrize("name", DAMAGE)
    def test_changes_are_seen_and_undone(self, home: Path, name: str) -> None:
        damage, changes = DAMAGE[name]
        with Workspace(home) as workspace:
            slot = workspace.slot(0)
            damage(slot.directory)
            assert workspace.changes(0) == changes
            workspace.restore(0)
            assert picture(slot.directory) == picture(home)
            assert workspace.changes(0) == []
            assert os.listdir(slot.directory.parent) == ["project"]

    @pytest.mark.parametrize("damage", [seal_everything, bury_a_file, remove_all, remove_itself])
    def test_heavy_damage_is_undone(self, home: Path, damage: Callable[[Path], None]) -> None:
        with Workspace(home) as workspace:
            slot = workspace.slot(0)
            for _ in range(2):
                damage(slot.directory)
                assert workspace.changes(0)
                workspace.restore(0)
                assert picture(slot.directory) == picture(home)
        assert not workspace.root.exists()

    def test_the_temporary_folder_is_emptied(self, home: Path) -> None:
        with Workspace(home) as workspace:
            tmp = workspace.slot(0).tmp
            bury_a_file(tmp)
            (tmp / "file").touch()
            workspace.restore(0)
            assert os.listdir(tmp) == []
            tmp.rmdir()
            tmp.symlink_to(home)
            workspace.restore(0)
            assert os.listdir(tmp) == []
            assert (home / "main.py").exists()

    def test_the_directory_stays_the_same_folder(self, home: Path) -> None:
        """A server that works there keeps its working directory."""
        with Workspace(home) as workspace:
            directory = workspace.slot(0).directory
            before = directory.stat().st_ino
            remove_all(directory)
            workspace.restore(0)
            assert directory.stat().st_ino == before

    def test_the_folder_above_may_be_gone(self, home: Path) -> None:
        with Workspace(home) as workspace:
            directory = workspace.slot(0).directory
            remove_all(directory)
            shutil.rmtree(directory.parent)
            assert "main.py" in workspace.changes(0)
            workspace.restore(0)
            assert picture(directory) == picture(home)

    def test_untouched_files_are_not_copied_again(self, home: Path) -> None:
        with Workspace(home) as workspace:
            directory = workspace.slot(0).directory
            before = {path: path.lstat().st_ino for path in directory.rglob("*")}
            (directory / "main.py").write_text("x")
            workspace.restore(0)
            after = {path: path.lstat().st_ino for path in directory.rglob("*")}
            del before[directory / "main.py"], after[directory / "main.py"]
            assert after == before

    def test_slots_do_not_disturb_each_other(self, home: Path) -> None:
        with Workspace(home, 4) as workspace:
            failures: list[BaseException] = []

            def work(i: int) -> None:
                try:
                    for _ in range(10):
                        directory = workspace.slot(i).directory
                        remove_all(directory)
                        workspace.restore(i)
                        assert picture(directory) == picture(home)
                except BaseException as error:
                    failures.append(error)

            threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert failures == []


# Random damage.  Paths are chosen among what is there, by number, so that most steps do something.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["write", "append", "hide", "remove", "create", "mkdir", "chmod", "touch", "rename"]
            + ["link", "symlink", "swap"]
        ),
        st.integers(0, 40),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=12,
)


def apply(work: Path, action: str, one: int, other: int) -> None:
    paths = sorted(work.rglob("*")) or [work]
    path, second = paths[one % len(paths)], paths[other % len(paths)]
    folder = second if second.is_dir() and not second.is_symlink() else second.parent
    is_file = path.is_file() and not path.is_symlink()
    if action == "write" and is_file:
        path.write_bytes(b"x" * other)
    elif action == "append" and is_file:
        with path.open("ab") as file:
            file.write(b"more")
    elif action == "hide" and is_file and path.stat().st_size:
        status = path.stat()
        path.write_bytes(b"?" * status.st_size)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif action == "remove" or action == "swap":
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
            if action == "swap":
                path.write_text("a file now")
        else:
            path.unlink()
            if action == "swap":
                path.mkdir()
    elif action == "create":
        (folder / f"new{one}").write_text("new")
    elif action == "mkdir":
        (folder / f"folder{one}" / "sub").mkdir(parents=True)
    elif action == "chmod" and not path.is_symlink():
        path.chmod((0o000, 0o444, 0o555, 0o701, 0o640, 0o2755)[other % 6])
    elif action == "touch" and not path.is_symlink():
        os.utime(path, ns=(other, other))
    elif action == "rename":
        path.rename(folder / f"moved{one}")
    elif action == "link" and is_file:
        os.link(path, folder / f"linked{one}")
    elif action == "symlink":
        (folder / f"symlink{one}").symlink_to(os.path.relpath(path, folder))


class TestAnyDamage:
    @pytest.fixture(scope="class")
    @staticmethod
    def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
        home = build(tmp_path_factory.mktemp("any") / "project")
        with Workspace(home) as workspace:
            yield workspace

    @settings(max_examples=150, deadline=None)
    @given(steps=STEPS)
    def test_restore_gives_the_same_tree(
        self, shared: Workspace, steps: list[tuple[str, int, int]]
    ) -> None:
        work = shared.slot(0).directory
        for step in steps:
            try:
                apply(work, *step)
            except OSError:
                continue  # not possible in this state; what happened before it counts
        shared.restore(0)
        assert picture(work) == picture(shared.directory)
        assert shared.changes(0) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(b"12345", b"12346", False), (b"12345", b"12345", True), (b"1234", b"12345", False)]
    + [(b"1234", b"1234", True), (b"", b"1", False), (b"", b"", True)],
)
def test_files_are_compared_to_their_ends(
    one: bytes, other: bytes, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_CHUNK", 4)
    (tmp_path / "one").write_bytes(one)
    (tmp_path / "other").write_bytes(other)
    assert copies.same_content(str(tmp_path / "one"), str(tmp_path / "other")) is same


def test_folders_are_made_writable_before_they_are_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = os.rename

    def strict(old: str, new: str) -> None:
        if not os.stat(old).st_mode & stat.S_IWUSR:  # so it is for all but root
            raise PermissionError(errno.EACCES, "Permission denied")
        move(old, new)

    monkeypatch.setattr(os, "rename", strict)
    (tmp_path / "top" / "sealed").mkdir(parents=True)
    (tmp_path / "top" / "sealed").chmod(0o000)
    (tmp_path / "trash").mkdir()
    copies.Trash(str(tmp_path / "trash")).empty(str(tmp_path / "top"))
    assert os.listdir(tmp_path / "top") == os.listdir(tmp_path / "trash") == []


class TestCanonical:
    def test_output_reads_as_if_run_in_the_original(self, home: Path) -> None:
        with Workspace(home, 2) as workspace:
            slot = workspace.slot(1)
            text = f"{slot.directory}/main.py {slot.tmp}/x {slot.directory.parent} {slot.directory}"
            assert workspace.canonical(text.encode(), 1) == (
                f"{home}/main.py /tmp/stripe-run/x {home.parent} {home}".encode()
            )

    def test_all_slots_have_paths_of_one_length(self, home: Path) -> None:
        with Workspace(home, 12) as workspace:
            assert len({len(str(workspace.slot(i).directory)) for i in range(12)}) == 1
            assert len({len(str(workspace.slot(i).tmp)) for i in range(12)}) == 1

    def test_what_the_program_sees_is_what_is_replaced(self, home: Path, temporary: Path) -> None:
        """Also where the way to the temporary folder has a symbolic link in it."""
        (home.parent / "way").symlink_to(temporary)
        tempfile.tempdir = str(home.parent / "way")
        with Workspace(home) as workspace:
            seen = subprocess.run(
                [sys.executable, "-c", "import os; print(os.getcwd())"],
                cwd=workspace.slot(0).directory,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
            assert workspace.canonical(seen, 0) == os.fsencode(home) + b"\n"


class TestClose:
    def test_nothing_is_left_and_the_original_is_untouched(
        self, home: Path, temporary: Path
    ) -> None:
        before = picture(home)
        with Workspace(home, 2) as workspace:
            assert stat.S_IMODE(workspace.root.stat().st_mode) == 0o700
            seal_everything(workspace.slot(0).directory)
            bury_a_file(workspace.slot(1).directory)
        assert list(temporary.iterdir()) == []
        assert picture(home) == before
        workspace.close()

    def test_not_even_after_an_error(self, home: Path, temporary: Path) -> None:
        with pytest.raises(IndexError), Workspace(home) as workspace:
            workspace.slot(1)
        assert list(temporary.iterdir()) == []

    @pytest.mark.parametrize("end", ["pass", "raise SystemExit(3)", "1/0", "interrupt()"])
    def test_nor_when_the_process_ends_without_closing(
        self, home: Path, temporary: Path, end: str
    ) -> None:
        program = f"""
            import os, signal, sys
            from pathlib import Path
            from stripe.sandbox.workspace import Workspace
            def interrupt():
                os.kill(os.getpid(), {signal.SIGINT.value})
                signal.pause()
            workspace = Workspace(Path({str(home)!r}))
            workspace.slot(0)
            if os.fork() == 0:
                sys.exit()  # a fork of ours that ends must not take the copies away
            os.wait()
            assert workspace.slot(0).directory.exists()
            {end}
        """
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)},
            stderr=subprocess.DEVNULL,
        )
        assert list(temporary.iterdir()) == []


def test_copying_ends_when_there_is_no_more_time_for_it(home: Path, temporary: Path) -> None:
    """At each of its steps; and nothing is left of what was copied by then."""
    steps = iter(range(1000))
    Workspace(home, check=lambda: next(steps)).close()
    last = next(steps)
    assert last > 10

    def over(at: int) -> Callable[[], object]:
        left = iter(range(at))

        def check() -> None:
            if next(left, None) is None:
                raise TimeoutError

        return check

    for at in range(last):
        with pytest.raises(TimeoutError):
            Workspace(home, check=over(at))
        assert list(temporary.iterdir()) == []


def test_what_copies_of_a_large_directory_take_is_told(
    home: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Workspace(home) as workspace:
        assert not any("copied (" in note for note in workspace.notes)
    monkeypatch.setattr(module, "LARGE_FILES", 0)
    there = len([home, *home.rglob("*")])
    for in_memory, where in ((True, "in memory"), (False, "on disk")):
        monkeypatch.setattr(module, "is_in_memory", lambda _: in_memory)  # noqa: B023
        with Workspace(home, 2) as workspace:
            note = workspace.notes[-1]
            assert f"{there} files and folders, " in note
            assert f"up to 2 runs at a time: {where}, in {temporary}" in note


@pytest.mark.skipif(not Path("/dev/shm").is_mount(), reason="there is no /dev/shm")
def test_folders_in_memory_are_known() -> None:
    assert copies.is_in_memory("/dev/shm")
    assert not copies.is_in_memory("/proc")

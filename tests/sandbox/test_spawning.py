"""Commands are started as a shell would start them, with nothing of ours left in them."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from stripe.sandbox.inside import spawn
from stripe.sandbox.inside.spawn import Spawner

SHELL = "/bin/sh"


class Older:
    """A C library without what newer ones have."""

    def __init__(self, library: object) -> None:
        self._library = library

    def __getattr__(self, name: str) -> object:
        if name.endswith("_np"):
            raise AttributeError(name)
        return getattr(self._library, name)


class Place:
    """A directory with a spawner."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "in").write_text("first line\n", "utf-8")
        self.out = os.open(folder / "out", os.O_RDWR | os.O_CREAT)
        self.err = os.open(folder / "err", os.O_RDWR | os.O_CREAT)
        words = {b"PATH": os.fsencode(os.environ["PATH"]), b"WORD": b"a \xff b"}
        reads = os.fsencode(folder / "in")
        self.spawner = Spawner(os.fsencode(folder), words, reads, self.out, self.err)

    def close(self) -> None:
        self.spawner.close()
        os.close(self.out)
        os.close(self.err)

    def start(self, command: Sequence[str]) -> int:
        return self.spawner.start([os.fsencode(word) for word in command])

    def run(self, command: Sequence[str]) -> int:
        """Its exit status, or the number of a signal, negative."""
        pid = self.start(command)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def printed(self) -> bytes:
        return (self.folder / "out").read_bytes()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.close()


def test_directory_environment_and_arguments(place: Place) -> None:
    script = 'pwd; printf "%s|" "$WORD" "$HOME" "$1" "$2"'
    assert place.run([SHELL, "-c", script, "sh", "two words", ""]) == 0
    assert place.printed() == os.fsencode(place.folder) + b"\na \xff b||two words||"


def test_an_older_c_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawn, "_LIBRARY", Older(spawn._LIBRARY))
    folder = tmp_path / "a 'b"
    folder.mkdir()
    place = Place(folder)
    try:
        assert place.run([SHELL, "-c", 'pwd; echo "$1"; exit 3', "sh", "two words"]) == 3
        assert place.printed() == os.fsencode(folder) + b"\ntwo words\n"
    finally:
        place.close()


def test_every_command_reads_the_file_from_its_beginning(place: Place) -> None:
    for _ in range(2):
        assert place.run([SHELL, "-c", "read line; echo $line"]) == 0
    assert place.printed() == b"first line\n" * 2


def test_what_is_printed_and_how_it_ends(place: Place) -> None:
    assert place.run([SHELL, "-c", "echo wrong >&2; exit 3"]) == 3
    assert (place.folder / "err").read_bytes() == b"wrong\n"
    assert place.run([SHELL, "-c", "kill -9 $$"]) == -signal.SIGKILL


def test_it_leads_a_session_of_its_own(place: Place) -> None:
    pid = place.start([SHELL, "-c", "sleep 60"])
    try:
        assert os.getsid(pid) == os.getpgid(pid) == pid
    finally:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_signals_that_python_ignores_are_not_ignored(place: Place) -> None:
    # Python itself would ignore them again.
    assert place.run([SHELL, "-c", "kill -s PIPE $$; exit 0"]) == -signal.SIGPIPE
    assert place.run([SHELL, "-c", "kill -s XFSZ $$; exit 0"]) == -signal.SIGXFSZ


def test_no_other_descriptor_is_passed_on(place: Place) -> None:
    ours = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(ours, True)
    try:
        code = (
            "import os\nfound = []\nfor each in range(3, 100):\n    try:\n        os.fstat(each)\n"
            "        found.append(each)\n    except OSError:\n        pass\nprint(found)"
        )
        assert place.run([sys.executable, "-I", "-S", "-c", code]) == 0
    finally:
        os.close(ours)
    assert place.printed() == b"[]\n"


@pytest.mark.parametrize(
    ("content", "number"),
    [(None, errno.ENOENT), ("#!/no/such/interpreter\n", errno.ENOENT), ("words\n", errno.ENOEXEC)],
    ids=["not there", "no interpreter", "no program"],
)
def test_what_cannot_be_started(place: Place, content: str | None, number: int) -> None:
    path = place.folder / "command"
    if content is not None:
        path.write_text(content, "utf-8")
        path.chmod(0o755)
    with pytest.raises(OSError) as caught:
        place.start([str(path)])
    assert caught.value.errno == number
    assert caught.value.filename == str(path)

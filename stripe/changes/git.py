"""Versions and the commits between them, read from a git repository.

It is only read, by commands that write nothing in it: no worktree is made, no index, no reference,
so that whatever happens there is nothing to put back.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from stripe.changes.snapshots import Entry, Snapshot, Step
from stripe.errors import UsageError
from stripe.sandbox.scratch import Scratch

_FORMAT = "%H%x00%P%x00%an <%ae>%x00%aI%x00%s"
_NEUTRAL = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",
}


class Repository:
    """A repository to be read; a context manager, as it keeps a process.

    Raises:
        UsageError: ``no-git``, ``no-repository``.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._reader: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._read_before: dict[str, bytes] = {}
        try:
            self.bare = self._git("rev-parse", "--is-bare-repository") == b"true\n"
            where = "--absolute-git-dir" if self.bare else "--show-toplevel"
            top = self._git("rev-parse", where)
        except FileNotFoundError:
            raise UsageError(
                "no-git",
                "git is not installed, with which revisions are read.",
                "Install git, or give two directories.",
            ) from None
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
            raise UsageError(
                "no-repository",
                f"{str(directory)!r} is not in the working tree of a git repository: {said}.",
                "Name it with --repo DIR, or give two directories.",
            ) from None
        self.top = self._directory = Path(os.fsdecode(top).removesuffix("\n"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads."""
        if self._reader is not None:
            self._reader.kill()
            self._reader.communicate()
            self._reader = None

    def commit(self, revision: str) -> str:
        """The hash of the commit that a revision names.

        Raises:
            UsageError: ``no-such-revision``.
        """
        try:
            found = self._git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        except subprocess.CalledProcessError:
            raise UsageError(
                "no-such-revision",
                f"{revision!r} is neither a commit of {str(self.top)!r} nor a directory.",
                "The clone is shallow: git fetch --unshallow gets the commits that it lacks."
                if self._git("rev-parse", "--is-shallow-repository") == b"true\n"
                else "git log --oneline shows commits; a dot (.) is the working tree.",
            ) from None
        return found.decode().strip()

    def snapshot(self, commit: str) -> Snapshot:
        """The files of a commit."""
        entries: dict[str, Entry] = {}
        for line in self._git("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            if line:
                facts, path = line.split(b"\t", 1)
                mode, _, name = facts.split()
                entries[os.fsdecode(path)] = Entry(int(mode, 8), name.decode())
        return Snapshot(entries, self.read)

    def index(self) -> dict[str, Entry]:
        """The files of the index, without those that a merge has left open."""
        entries: dict[str, Entry] = {}
        for line in self._git("ls-files", "-z", "--stage").split(b"\0"):
            if line:
                facts, path = line.split(b"\t", 1)
                mode, name, stage = facts.split()
                if stage == b"0":
                    entries[os.fsdecode(path)] = Entry(int(mode, 8), name.decode())
        return entries

    def changed(self) -> list[str]:
        """The files of the working tree that are not as in the index, nor ignored."""
        listed = self._git("ls-files", "-z", "--modified", "--others", "--exclude-standard")
        return sorted({os.fsdecode(path) for path in listed.split(b"\0") if path})

    def cleaned(self, paths: Sequence[str]) -> list[bytes]:
        """What git would keep of files of the working tree: its ends of lines, what filters give.

        Raises:
            UsageError: ``unreadable``.
        """
        if not paths:
            return []
        with closing(Scratch()) as scratch:
            ours = self._git("rev-parse", "--path-format=absolute", "--git-path", "objects")
            places = {
                "GIT_OBJECT_DIRECTORY": str(scratch.path),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.fsdecode(ours).removesuffix("\n"),
            }
            asked = b"".join(b"%s\n" % quoted(path) for path in paths)
            words = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin-paths")
            try:
                names = self._git(*words, said=asked, places=places)
            except subprocess.CalledProcessError as error:
                raise UsageError(
                    "unreadable",
                    "git cannot read the working tree: "
                    f"{error.stderr.decode('utf-8', 'replace').strip()}.",
                    "Look at git status and git diff; or compare revisions.",
                ) from None
            told = self._git("cat-file", "--batch", said=names, places=places)
        contents = []
        while told:
            facts, _, told = told.partition(b"\n")
            size = int(facts.split()[2])
            contents.append(told[:size])
            told = told[size + 1 :]
        return contents

    def shared(self, one: str, other: str) -> str | None:
        """A commit that both come after, and after which all is known that only one has."""
        revisions = self._lines("rev-list", "--boundary", f"{one}...{other}")
        outside = [line[1:] for line in revisions if line.startswith("-")]
        if one == other or not outside:
            return one if one == other else None
        if len(outside) == 1:
            return outside[0]
        try:
            return self._lines("merge-base", "--octopus", *outside)[0]
        except (subprocess.CalledProcessError, IndexError):
            return None

    def commits(self, root: str, good: str, bad: str) -> list[Commit]:
        """All commits between ``root`` and both versions, parents first."""
        only = {
            side: set(self._lines("rev-list", wanted, f"^{other}"))
            for side, wanted, other in ((1, bad, good), (-1, good, bad))
        }
        listed = self._git(
            *(
                "log",
                "-z",
                "--topo-order",
                "--reverse",
                f"--format={_FORMAT}",
                "--no-show-signature",
            ),
            *(good, bad, f"^{root}"),
        ).decode("utf-8", "replace")
        facts = listed.rstrip("\0").split("\0") if listed else []
        found = []
        for start in range(0, len(facts), 5):
            name, parents, author, date, subject = facts[start : start + 5]
            side = 1 if name in only[1] else -1 if name in only[-1] else 0
            found.append(Commit(name, parents.split(), author, date, subject, side))
        return found

    def read(self, name: str) -> bytes:
        """The content of an object.

        Raises:
            UsageError: ``object-missing``, as in a partial clone.
        """
        if name not in self._read_before:
            with self._lock:
                self._read_before[name] = self._read(name)
        return self._read_before[name]

    def _read(self, name: str) -> bytes:
        if self._reader is None:
            self._reader = subprocess.Popen(
                self._words("cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | _NEUTRAL,
                start_new_session=True,
            )
        asked, told = self._reader.stdin, self._reader.stdout
        assert asked is not None, "it is a pipe"
        assert told is not None, "it is a pipe"
        asked.write(name.encode() + b"\n")
        asked.flush()
        answer = told.readline().split()
        if len(answer) != 3:
            raise UsageError(
                "object-missing",
                f"The repository lacks the object {name}, which its commits refer to.",
                "It may be a partial or shallow clone: git fetch --refetch, or git fsck.",
            )
        content = told.read(int(answer[2]))
        told.read(1)
        return content

    def _lines(self, *words: str) -> list[str]:
        return self._git(*words).decode().split()

    def _words(self, *words: str) -> list[str]:
        return ["git", "--no-pager", "-C", str(self._directory), *words]

    def _git(self, *words: str, said: bytes = b"", places: dict[str, str] | None = None) -> bytes:
        return subprocess.run(
            self._words(*words),
            input=said,
            capture_output=True,
            check=True,
            env=os.environ | _NEUTRAL | (places or {}),
        ).stdout


@dataclass(frozen=True, slots=True)
class Commit:
    """What git tells of a commit; ``side`` as in :class:`~stripe.changes.snapshots.Step`."""

    name: str
    parents: list[str]
    author: str
    date: str
    subject: str
    side: int


def without_settings() -> dict[str, str]:
    """The variables for a git that no setting or repository of anybody's gets into."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return own | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def quoted(path: str) -> bytes:
    """A path, as git reads it where a line ends it."""
    text = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return b'"%s"' % text.replace(b"\n", b"\\n")


def steps_of(repository: Repository, root: str, good: str, bad: str) -> Iterator[Step]:
    """The commits as steps of a history that begins at ``root``."""
    places: dict[str, int] = {}
    for place, commit in enumerate(repository.commits(root, good, bad)):
        places[commit.name] = place
        yield Step(
            name=commit.name[:10],
            subject=commit.subject,
            author=commit.author,
            date=commit.date,
            parents=tuple(places[each] for each in commit.parents if each in places),
            side=commit.side,
            snapshot=repository.snapshot(commit.name),
        )

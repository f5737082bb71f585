"""A place in which versions of a program stand, one after the other, and commands run on them."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from stripe.changes.compilers import with_ccache
from stripe.changes.snapshots import EXECUTABLE, LINK, Tree, folders_of
from stripe.running.slots import sink
from stripe.sandbox.commands import CommandPlace, Ending, Limits, Runner
from stripe.sandbox.copies import Stamp, stamp
from stripe.sandbox.folders import Folder, remove
from stripe.sandbox.reads import Stamps, read_report, witnessed
from stripe.sandbox.scratch import is_special
from stripe.sandbox.walls import Layer, Walls


class VersionPlace:
    """A folder with one version in it, and nothing else when a test begins.

    Args:
        scratch: where to make it.
        number: that of no other place there.
        layer: what keeps commands in.
        directory: where the user has the program: in namespaces it seems to stand there.
        shown: folders below ``directory`` that are no part of any version and can be read there,
            such as environments.
        keep: what builds and tests leave stays for the next version, as make wants it.
    """

    def __init__(
        self,
        scratch: Path,
        number: int,
        layer: Layer,
        directory: str,
        shown: Sequence[str] = (),
        *,
        keep: bool = False,
    ) -> None:
        home = scratch / str(number)
        cache = home / "cache"
        self._compilers: Mapping[bytes, bytes] = {}
        if keep and layer is not Layer.LANDLOCK:  # modes cannot be set there, as ccache wants to
            self._compilers = with_ccache(scratch / f"compilers-{number}", cache)
        stands_there = bool(
            directory
            and layer is Layer.NAMESPACES
            and not is_special(directory)
            and not scratch.is_relative_to(directory)
        )
        self._keep = keep
        self._written: dict[str, tuple[Stamp, int, bytes]] = {}
        self._shown = frozenset(shown if stands_there else ())
        with ExitStack() as stack:
            self._home, self._folder, self._tmp, self._cache = (
                Folder(path) for path in (home, home / "tree", home / "tmp", cache)
            )
            for folder in (self._home, self._folder, self._tmp, self._cache):
                stack.callback(folder.close)
            self.top = self._folder.path
            self.inside = Path(directory) if stands_there else self.top
            self._stdout = sink(stack, scratch / f"out-{number}")
            self._stderr = sink(stack, scratch / f"err-{number}")
            walls = Walls(
                layer,
                scratch,
                home,
                scratch / f"room-{number}",
                self.top,
                directory if stands_there else "",
                tuple(f"{directory}/{path}" for path in sorted(self._shown)),
            )
            place = CommandPlace(self.inside, self._environment(), None, self._stdout, self._stderr)
            self._start = partial(Runner, walls, place)
            self.runner = self._start()
            stack.callback(lambda: self.runner.close())
            self.close = stack.pop_all().close

    def _environment(self) -> Mapping[bytes, bytes]:
        ours = {"TMPDIR": str(self._tmp.path), "PWD": str(self.inside), "STRIPE_CWD": os.getcwd()}
        if self._keep:
            # An old one counts for a new source of the same size that is not a second younger.
            ours["PYTHONDONTWRITEBYTECODE"] = "1"
        return os.environb | {os.fsencode(name): os.fsencode(ours[name]) for name in ours}

    def put(self, tree: Tree) -> None:
        """Make it this version: what is the same already is not written anew."""
        self._home.clear(but=(self.top.name, self._tmp.path.name, self._cache.path.name))
        self._tmp.clear()
        self._cache.stayed()
        if not self._folder.stayed():
            self._written.clear()
            self.runner.close()  # it shows the one that was there when it began
            self.runner = self._start()
        folders = {above for path in (*self._written, *tree) for above in folders_of(path)}
        for folder in sorted(folders):  # those above first: nothing is to be reached through a link
            if not is_folder(self.top / folder):
                remove(self.top / folder)
        for path in [path for path in self._written if not self._same(path, tree.get(path))]:
            remove(self.top / path)
            del self._written[path]
        if not self._keep:
            self._sweep(
                self.top, "", tree.keys() | {above for path in tree for above in folders_of(path)}
            )
        for path, (mode, content) in tree.items():
            if path not in self._written:
                self._write(path, mode, content)
        for path in self._shown:
            if not is_folder(self.top / path):
                remove(self.top / path)
            (self.top / path).mkdir(parents=True, exist_ok=True)

    def run(
        self, words: Sequence[str], limits: Limits, *, builds: bool = False, cached: bool = False
    ) -> tuple[Ending, bytes, bytes]:
        """Run a command there; how it ended, and what it printed to both streams.

        Args:
            words: the command.
            limits: what it may take.
            builds: ``make`` goes on after an error: one build tells all that is missing.
            cached: what compilers gave before in this place serves again.
        """
        for descriptor in (self._stdout, self._stderr):
            os.ftruncate(descriptor, 0)
        variables = dict(self._compilers) if cached else {}
        if builds and b"MAKEFLAGS" not in os.environb:
            variables[b"MAKEFLAGS"] = b"k"
        ending = self.runner.run(words, limits, heard=True, variables=variables)
        return ending, self._said(self._stdout), self._said(self._stderr)

    def paths_read(self, words: Sequence[str], limits: Limits) -> frozenset[str] | None:
        """Run a command; the paths of the version that it looked at, or ``None`` if nobody saw."""
        report = self._tmp.path / "read"
        self.run(witnessed(words, report), limits)
        seen = read_report(report)
        if seen.refused:
            return None
        stamps = Stamps(self.inside, None)
        found = {key for _, path in seen.sights if (key := stamps.key(path)) is not None}
        linked = {os.path.realpath(self.top / key) for key in found if not os.path.isabs(key)}
        return frozenset(found | {os.path.relpath(path, self.top) for path in linked})

    def _said(self, descriptor: int) -> bytes:
        text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        here = os.fsencode(self.inside)
        return text.replace(here + b"/", b"").replace(here, b".")

    def _same(self, path: str, wanted: tuple[int, bytes] | None) -> bool:
        """Whether a file is there as it is wanted, and nobody has written it since."""
        written, mode, content = self._written[path]
        if wanted is None or wanted[0] != mode or wanted[1] != content:
            return False
        try:
            return stamp(os.lstat(self.top / path)) == written
        except OSError:
            return False

    def _write(self, path: str, mode: int, content: bytes) -> None:
        new = self.top / path
        new.parent.mkdir(parents=True, exist_ok=True)
        remove(new)
        if mode == LINK:
            os.symlink(os.fsdecode(content), new)
        else:
            new.write_bytes(content)
            new.chmod(0o755 if mode == EXECUTABLE else 0o644)
        self._written[path] = stamp(os.lstat(new)), mode, content

    def _sweep(self, folder: Path, below: str, wanted: Collection[str]) -> None:
        """Remove what belongs to no version."""
        for name in os.listdir(folder):
            path = f"{below}/{name}" if below else name
            place = folder / name
            is_folder = stat.S_ISDIR(os.lstat(place).st_mode)
            if path in self._written:
                continue
            if path in wanted and is_folder:
                if place.stat().st_mode & 0o700 != 0o700:
                    place.chmod(0o755)
                self._sweep(place, path, wanted)
            elif not (is_folder and path in self._shown):
                remove(place)


def is_folder(path: Path) -> bool:
    """Whether it is a folder, and no link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False

"""The members of an archive, left out, and what is in each, reduced by its own kind."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from stripe.dd import Configuration
from stripe.units.archives import Archive, is_record, read_archive
from stripe.units.model import ROOT, Beside, Nested, Pass, Units, Within

type Inner = Callable[[bytes, str], Generator[Pass, bytes, bytes]]
"""The passes over a content, by it and its name."""


def members(data: bytes, inside: Inner) -> Generator[Pass, bytes]:
    """Yield the passes over an archive, and be sent what each has left.

    It is written anew first; if that does not fail any more, or it is no archive, that is all. Then
    members go, and then the contents of those that are left are reduced, the largest first, by the
    passes of ``inside``.
    """
    archive = read_archive(data)
    if archive is None:
        return
    anew = Anew(data, archive)
    if anew.written != data:
        data = yield Pass("archive written anew", anew)
        if anew.written != data:
            return
    if len(archive.members) > 1 or archive.kind in ("zip", "tar"):
        data = yield Pass("members", Members(archive))
    archive = read_archive(data)
    if archive is None:  # even without a member it fails
        return
    sizes = [len(member.content) for member in archive.members]
    for place in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        data = yield from _within(data, place, inside)


def _within(data: bytes, place: int, inside: Inner) -> Generator[Pass, bytes, bytes]:
    """Reduce what is in a member."""
    archive = _read(data)
    member = archive.members[place]
    if not member.content or is_record(member):
        return data
    steps = inside(member.content, member.name)
    step = next(steps, None)
    while step is not None:
        data = yield Pass(f"{step.name} in a member", Inside(archive, place, step.units))
        archive = _read(data)
        try:
            step = steps.send(archive.members[place].content)
        except StopIteration:
            break
    return data


def _read(data: bytes) -> Archive:
    archive = read_archive(data)
    assert archive is not None, "it was written here"
    return archive


class Anew(Beside):
    """One unit: that the archive is written as it is, and not as it would be here."""

    def __init__(self, data: bytes, archive: Archive) -> None:
        self._data = data
        self.written = archive.written()

    def __len__(self) -> int:
        return 1

    def render(self, configuration: Configuration[int]) -> bytes:
        return self._data if configuration else self.written


class Members(Nested):
    """The members, each in its folder, which is a unit as well."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        parents: list[int] = []
        folders: dict[str, int] = {"": ROOT}
        self._places: list[int | None] = []  # of a folder, none

        def folder(name: str) -> int:
            if name not in folders:
                around = folder(name.rpartition("/")[0])
                folders[name] = len(parents)
                parents.append(around)
                self._places.append(None)
            return folders[name]

        for place, member in enumerate(archive.members):
            parents.append(folder(member.name.rstrip("/").rpartition("/")[0]))
            self._places.append(place)
        super().__init__(parents)

    def weight(self, unit: int) -> int:
        """The bytes of a member: those of its name, and about as many as it has packed."""
        place = self._places[unit]
        if place is None:
            return 0
        member = self._archive.members[place]
        return len(member.name) + len(member.content)

    def render(self, configuration: Configuration[int]) -> bytes:
        places = [place for unit in configuration if (place := self._places[unit]) is not None]
        return replace(self._archive, members=[self._archive.members[p] for p in places]).written()


class Inside(Within):
    """The units of what is in a member."""

    def __init__(self, archive: Archive, place: int, units: Units) -> None:
        super().__init__(units)
        self._archive = archive
        self._place = place

    def render(self, configuration: Configuration[int]) -> bytes:
        members = list(self._archive.members)
        content = self._units.render(configuration)
        members[self._place] = replace(members[self._place], content=content)
        return replace(self._archive, members=members).written()

"""Shared libraries with code of the user's: what runs there is not recorded, and a note says so.

They are among the files that the plain run opened, so those of ``dlopen`` are known as well as
those that the program was linked with.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile

from stripe_gdb.elf import source_files
from stripe_gdb.sources import SYSTEM, Sources

ELF_FILE = b"\x7fELF"
NAMED = 3


def library_notes(opened: Iterable[str], program: Path, sources: Sources) -> list[str]:
    """A note for each shared library among the files ``opened`` that has code of the user's."""
    notes = []
    for name in opened:
        path = Path(os.path.realpath(os.path.join(sources.directory, name)))
        if path == program or SYSTEM.match(str(path)):
            continue
        try:
            own = _own_sources(path, sources)
        except (OSError, ELFError, DWARFError, KeyError, ValueError, AttributeError):
            continue  # whatever it is, it says nothing of sources
        if own:
            named = ", ".join(own[:NAMED]) + (", ..." if own[NAMED:] else "")
            notes.append(
                "The program runs code of yours in the shared library "
                f"{sources.relative(str(path))} ({named}), which is not recorded: all of it always "
                "takes effect. To have it recorded, link its sources into the program."
            )
    return notes


def _own_sources(path: Path, sources: Sources) -> list[str]:
    """The files of the user's that a shared library was made of; none for any other file."""
    if not path.is_file():
        return []
    with path.open("rb") as file:
        if file.read(len(ELF_FILE)) != ELF_FILE:
            return []
        elf = ELFFile(file)
        kinds = {segment["p_type"] for segment in elf.iter_segments()}
        if elf["e_type"] != "ET_DYN" or "PT_INTERP" in kinds:  # a program
            return []
        if not elf.has_dwarf_info(strict=True):
            return []
        found = sorted({each for each in source_files(elf) if sources.wants(each)})
    return [sources.relative(each) for each in found]

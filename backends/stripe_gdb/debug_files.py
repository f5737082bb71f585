"""Debug information in a file of its own, beside a stripped program or among the system's.

The places are those where gdb looks: by build id in ``/usr/lib/debug/.build-id``, by the name in
``.gnu_debuglink`` in the program's folder, in ``.debug`` there, and below ``/usr/lib/debug``.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

SYSTEM = Path("/usr/lib/debug")


def find_debug_file(program: Any, path: Path) -> tuple[Any | None, list[str]]:
    """The debug file of ``program`` at ``path``; else None, and why each place has none."""
    missing = []
    identity = build_id(program)
    for place, checksum in _places(program, path, identity):
        try:
            data = place.read_bytes()
            found = ELFFile(io.BytesIO(data))
        except (OSError, ELFError):
            missing.append(f"{place} (not there, or not readable)")
            continue
        belongs = build_id(found) == identity if checksum is None else zlib.crc32(data) == checksum
        if belongs:
            return found, []
        missing.append(f"{place} (of another build)")
    return None, missing


def build_id(elf: Any) -> str:
    """What the linker called this build, in hexadecimal; empty if it did not."""
    section = elf.get_section_by_name(".note.gnu.build-id")
    if section is None:
        return ""
    notes = (note for note in section.iter_notes() if note["n_type"] == "NT_GNU_BUILD_ID")
    return next((str(note["n_desc"]) for note in notes), "")


def _places(program: Any, path: Path, identity: str) -> Iterator[tuple[Path, int | None]]:
    """Where the file may be, and the checksum that it has to have, if not the build id."""
    if identity:
        yield SYSTEM / ".build-id" / identity[:2] / f"{identity[2:]}.debug", None
    link = program.get_dwarf_link()
    if link is not None:
        name, folder = os.fsdecode(link.filename), path.parent
        for place in (folder, folder / ".debug", SYSTEM / folder.relative_to("/")):
            yield place / name, link.checksum

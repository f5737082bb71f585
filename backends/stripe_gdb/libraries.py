"""Shared libraries that the program maps: those with code of the user's become modules.

Engines tell which files the dynamic linker maps, and where, whether the program was linked with
them or opens them (``dlopen``).  Who could not be made a module is named in a note.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile

from stripe.errors import StripeError
from stripe_gdb.elf import Executable, read_program, source_files
from stripe_gdb.refusals import require_unoptimised
from stripe_gdb.sources import SYSTEM, Sources

NAMED = 3
LINKER_SYMBOLS = {"notice": ("_dl_debug_state", 0), "state": ("_r_debug", 24)}
"""The symbols of the dynamic linker that engines need, and where in these is what they need."""


def linker_symbols(program: Path) -> dict[str, int] | None:
    """Where in the program's dynamic linker is what tells debuggers of libraries.

    None if it cannot be found: then nothing is known of shared libraries.
    """
    try:
        with program.open("rb") as file:
            elf: Any = ELFFile(file)
            path = next(each.get_interp_name() for each in elf.iter_segments("PT_INTERP"))
        with open(path, "rb") as file:
            elf = ELFFile(file)
            symbols = elf.get_section_by_name(".dynsym")
            return {
                name: symbols.get_symbol_by_name(symbol)[0]["st_value"] + offset
                for name, (symbol, offset) in LINKER_SYMBOLS.items()
            }
    except (OSError, ELFError, StopIteration, AttributeError, TypeError):
        return None


class Libraries:
    """The shared libraries of a program: ``modules``, by address, and ``notes`` on the others."""

    def __init__(self, program: Executable, sources: Sources) -> None:
        self._program = program
        self._sources = sources
        self._known = {program.path}
        self.modules: list[Executable] = []
        self.notes: list[str] = []

    def add(self, mapped: Iterable[tuple[str, int]], refusal: str = "") -> bool:
        """Take in files that are mapped, by their addresses; whether there are new modules.

        ``refusal`` says why none can become one.
        """
        before = len(self.modules)
        for name, start in mapped:
            path = Path(name)
            if path in self._known or SYSTEM.match(name):
                continue
            self._known.add(path)
            try:
                own = _own_sources(path, self._sources)
            except (OSError, ELFError, DWARFError, KeyError, ValueError, AttributeError):
                continue  # whatever it is, it says nothing of sources
            label = self._sources.relative(name)
            if own is None and not os.path.isabs(label):
                self.notes.append(
                    f"The program runs code in the shared library {label}, which has no debug "
                    "information, so it is not recorded: all of it always takes effect. To have it "
                    "recorded, build it with -O0 -g."
                )
            elif own:
                why = refusal or self._add(path, label, start)
                if why:
                    named = ", ".join(own[:NAMED]) + (", ..." if own[NAMED:] else "")
                    self.notes.append(
                        f"The program runs code of yours in the shared library {label} ({named}), "
                        f"which is not recorded: all of it always takes effect. {why}"
                    )
        return len(self.modules) > before

    def _add(self, path: Path, label: str, start: int) -> str:
        """Have a file as a module; why that cannot be, or nothing."""
        try:
            module = read_program(path, label, self._sources.wants, start)
            require_unoptimised(module, self._sources.wants, label)
        except StripeError as error:
            return f"{error.message} {error.hint}".strip()
        low, high = module.image
        if any(low < each.image[1] and each.image[0] < high for each in self.modules):
            return "It is mapped where another one was before."
        self.modules = sorted([*self.modules, module], key=lambda each: each.image)
        return ""


def _own_sources(path: Path, sources: Sources) -> list[str] | None:
    """The files of the user's that a shared library was made of; None if it does not say."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        if not elf.has_dwarf_info(strict=True):
            return None
        found = sorted({each for each in source_files(elf) if sources.wants(each)})
    return [sources.relative(each) for each in found]

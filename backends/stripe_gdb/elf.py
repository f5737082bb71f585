"""What an ELF file says of itself: whether it can be traced, its functions, its line table.

All addresses are those in memory: as the file has them, and the *bias* at which it is loaded.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from stripe.errors import UsageError
from stripe_gdb.debug_files import find_debug_file

BUILD = "Build it for STRIPE like this: cc -O0 -g FILES -o PROGRAM (c++, or rustc -g)."
PAGE = 4096
PROGRAM_BIAS = 0x555555554000
"""Where Linux puts a position-independent program if nothing is random, on x86-64."""
LEAST_UNUSED = 64
SPLIT = ("DW_AT_dwo_name", "DW_AT_GNU_dwo_name")
SANITIZERS = ("__asan_init", "__tsan_init", "__msan_init")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the symbol table."""

    low: int
    high: int
    symbol: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the line table where a statement begins; ``line`` 0: belongs to no line."""

    address: int
    file: str
    line: int


@dataclass(slots=True)
class Unit:
    """A compilation unit: ``name`` is the path of its main file, ``rows`` are as in the table.

    There are no rows in units that name no file of the user's: a program in Rust has nearly a
    hundred times as many from the library as from the user.
    """

    name: str
    producer: str
    directory: str
    entries: Any
    rows: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Executable:
    """An ELF file that can be traced: a program, or a shared library.

    ``bias``: what is added to the addresses that the file itself has, as in its ``units``.
    """

    path: Path
    bias: int
    functions: list[Function]
    units: list[Unit]
    symbols: frozenset[str]
    text: dict[int, bytes]
    image: tuple[int, int]
    """Its own addresses: code and data."""

    @property
    def sanitized(self) -> bool:
        """Whether a sanitizer reserves terabytes of addresses."""
        return any(name in self.symbols for name in SANITIZERS)

    @property
    def rust(self) -> bool:
        """Whether Rust's library is part of it."""
        return "rust_eh_personality" in self.symbols

    @property
    def unused(self) -> tuple[int, int]:
        """The address and size of memory behind the variables: zeros, which nobody uses."""
        limit = -(-self.image[1] // PAGE) * PAGE
        start = min(-(-self.image[1] // 16) * 16, limit - LEAST_UNUSED)
        return start, limit - start

    @property
    def catches(self) -> bool:
        """Whether control may come to a handler that needs an exception in flight."""
        return self.rust or "__gxx_personality_v0" in self.symbols

    def code(self, low: int, high: int) -> bytes:
        """The machine code from ``low`` up to ``high``."""
        for start, data in self.text.items():
            if start <= low < start + len(data):
                return data[low - start : high - start]
        return b""


def read_program(
    path: Path, name: str, wants: Callable[[str], bool], start: int | None = None
) -> Executable:
    """Read ``path``, which people call ``name``; ``wants`` says which sources are the user's.

    ``start``: where a shared library begins in memory; ``None`` for a program.

    Raises :class:`~stripe.errors.UsageError`: ``not-a-program``, ``foreign-architecture``,
    ``static-program``, ``stripped``, ``no-debug-info``, ``split-debug-info``.
    """
    with open(path, "rb") as file:
        stream = io.BytesIO(file.read())  # units are read on later
        try:
            return _read(stream, path, name, wants, start)
        except (ELFError, KeyError, ValueError, UnicodeDecodeError, AttributeError) as error:
            raise UsageError(
                "not-a-program",
                f"{name!r} is not a file that can be read as an ELF program: {error}.",
                BUILD,
            ) from error


def _read(
    stream: BinaryIO, path: Path, name: str, wants: Callable[[str], bool], start: int | None
) -> Executable:
    elf = ELFFile(stream)
    _require_machine(elf, name)
    if start is None:
        _require_dynamic(elf, name)
    loaded = [each for each in elf.iter_segments() if each["p_type"] == "PT_LOAD"]
    low = min((each["p_vaddr"] for each in loaded), default=0)
    high = max((each["p_vaddr"] + each["p_memsz"] for each in loaded), default=0)
    if start is not None:
        bias = start - low // PAGE * PAGE
    else:
        bias = PROGRAM_BIAS if elf["e_type"] == "ET_DYN" else 0
    told = elf
    if any(elf.get_section_by_name(each) is None for each in (".symtab", ".debug_line")):
        beside, missing = find_debug_file(elf, path)
        told = elf if beside is None else beside
    table: Any = told.get_section_by_name(".symtab")
    if table is None:
        looked = f" Its debug file was looked for: {'; '.join(missing)}." if missing else ""
        raise UsageError(
            "stripped",
            f"{name!r} is stripped: it has no symbol table, so its functions cannot be found."
            f"{looked}",
            BUILD,
        )
    if not told.has_dwarf_info(strict=True) or told.get_section_by_name(".debug_line") is None:
        raise UsageError(
            "no-debug-info",
            f"{name!r} has no debug information, so its statements cannot be found.",
            BUILD,
        )
    functions: dict[int, Function] = {}
    symbols = set()
    for symbol in table.iter_symbols():
        symbols.add(symbol.name.partition("@")[0])
        kind = symbol["st_info"]["type"]
        if kind == "STT_FUNC" and symbol["st_size"] and symbol["st_shndx"] != "SHN_UNDEF":
            begin = bias + symbol["st_value"]
            end = begin + symbol["st_size"]
            functions.setdefault(begin, Function(begin, end, symbol.name))
    units = list(_units(told, wants, name, bias))
    text = {
        bias + section["sh_addr"]: section.data()
        for section in elf.iter_sections()
        if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & 4
    }
    ordered = [functions[begin] for begin in sorted(functions)]
    image = bias + low, bias + high
    return Executable(path, bias, ordered, units, frozenset(symbols), text, image)


def _require_machine(elf: Any, name: str) -> None:
    machine = elf.get_machine_arch()
    if elf.elfclass != 64 or machine != "x64":
        bits = f"{elf.elfclass}-bit "
        raise UsageError(
            "foreign-architecture",
            f"{name!r} is a {bits}program for {machine}; only 64-bit x86 programs can be traced.",
            "Build it for this machine: without -m32, and not with a cross compiler.",
        )
    if elf["e_type"] not in ("ET_EXEC", "ET_DYN"):
        raise UsageError(
            "not-a-program",
            f"{name!r} is an object file or a core dump, not a program.",
            "Link it: cc FILES.o -o PROGRAM",
        )


def _require_dynamic(elf: Any, name: str) -> None:
    if all(segment["p_type"] != "PT_INTERP" for segment in elf.iter_segments()):
        if elf["e_type"] == "ET_DYN" and elf.get_section_by_name(".symtab") is None:
            what = "a shared library, or static"
        else:
            what = "linked statically"
        raise UsageError(
            "static-program",
            f"{name!r} is {what}: the libraries are part of it, and STRIPE does not support that.",
            "Link it without -static (Rust: without a musl target).",
        )


def _units(elf: Any, wants: Callable[[str], bool], program_name: str, bias: int) -> Iterator[Unit]:
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False, follow_links=False)
    for unit in dwarf.iter_CUs():
        top = unit.get_top_DIE()
        if top.tag not in ("DW_TAG_compile_unit", "DW_TAG_skeleton_unit"):
            continue
        directory = _text(top, "DW_AT_comp_dir")
        # Rust names the part of a crate behind the file: main.rs/@/main.1a2b-cgu.0
        name = os.path.normpath(os.path.join(directory, _text(top, "DW_AT_name").split("/@/")[0]))
        made = Unit(name, _text(top, "DW_AT_producer"), directory, unit)
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        files = _files(program.header, made)
        if any(wants(file) for file in files.values()):
            if any(each in top.attributes for each in SPLIT):
                raise split(program_name)
            made.rows = _rows(program, files, bias)
        yield made


def source_files(elf: Any) -> Iterator[str]:
    """The paths of the main files of all compilation units."""
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False, follow_links=False)
    for unit in dwarf.iter_CUs():
        top = unit.get_top_DIE()
        directory, name = _text(top, "DW_AT_comp_dir"), _text(top, "DW_AT_name")
        if name:
            yield os.path.normpath(os.path.join(directory, name.split("/@/")[0]))


def split(name: str) -> UsageError:
    """The refusal of split DWARF: the program has lines, but no names, types and variables."""
    return UsageError(
        "split-debug-info",
        f"The debug information of {name!r} is split: most of it is in .dwo or .dwp files, which "
        "STRIPE does not read.",
        "Build it without -gsplit-dwarf: cc -O0 -g FILES -o PROGRAM",
    )


def _text(entry: Any, attribute: str) -> str:
    found = entry.attributes.get(attribute)
    if found is None:
        return ""
    value = found.value
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else ""


def optimisation(producer: str) -> str:
    """The option that made the compiler optimise, by what it wrote into the file; or ``""``."""
    found = ""
    for option in producer.split():
        if re.fullmatch(r"-O([0-3sgz]|fast)?", option):
            found = option
    return "" if found == "-O0" or producer.startswith("GNU AS") else found


def moves_variables(unit: Unit) -> bool:
    """Whether many variables of a unit change places, as they do in optimised code.

    That is how code of compilers is known that do not write down how they were called.  A few do
    in any code, where the library wants to be inlined.
    """
    moving = staying = 0
    for entry in unit.entries.iter_DIEs():
        place = entry.attributes.get("DW_AT_location")
        if place is not None:
            moves = place.form in ("DW_FORM_sec_offset", "DW_FORM_loclistx")
            moving += moves
            staying += not moves
    return moving > 0.2 * (moving + staying)


def _files(header: Any, unit: Unit) -> dict[int, str]:
    """The paths of the files a line table names, by their number."""
    version = header["version"]
    first = 0 if version >= 5 else 1
    numbers = range(first, first + len(header["file_entry"]))
    return {number: _path(header, number - first, unit) for number in numbers}


def _rows(program: Any, files: Mapping[int, str], bias: int) -> list[Row]:
    """The rows where statements begin; the last one of an address counts."""
    rows: list[Row] = []
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.end_sequence:
            rows.append(Row(bias + state.address, "", 0))
        elif state.is_stmt and state.line:
            rows.append(Row(bias + state.address, files.get(state.file, ""), state.line))
    return rows


def _path(header: Any, index: int, unit: Unit) -> str:
    entry = header["file_entry"][index]
    folders = header["include_directory"]
    name = _decoded(entry.name)
    if header["version"] >= 5:
        folder = _decoded(folders[entry.dir_index]) if entry.dir_index < len(folders) else ""
    else:
        within = 0 < entry.dir_index <= len(folders)
        folder = _decoded(folders[entry.dir_index - 1]) if within else unit.directory
    for part in (folder, unit.directory):
        if name.startswith("/"):
            break
        if part:
            name = f"{part}/{name}"
    return re.sub(r"/(\./)+", "/", name)


def _decoded(value: bytes | str) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value

"""Reading ELF files: only what is the user's is read of the line tables."""

from __future__ import annotations

from pathlib import Path

from stripe_gdb.blocks import find_blocks
from stripe_gdb.elf import read_program
from tests.stripe_gdb.native import build, needs_cc, needs_cxx

pytestmark = [needs_cc]

LIBRARY = "int twice(int n)\n{\n    n += n;\n    return n;\n}\n"
MAIN = "int twice(int);\nint main(void)\n{\n    return twice(2) - 4;\n}\n"


def test_units_that_name_no_file_of_the_users_have_no_rows(tmp_path):
    (tmp_path / "library.c").write_text(LIBRARY)
    path = build(MAIN, tmp_path, "library.c")
    every = read_program(path, "prog", lambda _: True)
    chosen = read_program(path, "prog", lambda file: file.endswith("/prog.c"))
    assert [bool(unit.rows) for unit in every.units] == [True, True]
    assert {unit.name: bool(unit.rows) for unit in chosen.units} == {
        str(tmp_path / "prog.c"): True,
        str(tmp_path / "library.c"): False,
    }
    assert chosen.functions == every.functions


@needs_cxx
def test_a_unit_counts_for_each_file_it_names(tmp_path):
    """A header of the user's, in a unit whose own file is none of theirs."""
    (tmp_path / "twice.h").write_text(LIBRARY)
    (tmp_path / "prog.cpp").write_text('#include "twice.h"\nint main() { return twice(2) - 4; }\n')

    def wants(file: str) -> bool:
        return file.endswith("/twice.h")

    program = read_program(build(tmp_path / "prog.cpp", tmp_path), "prog", wants)
    table = find_blocks([program], wants, lambda file, line: "")
    assert {(block.file, block.line) for block in table.blocks} == {
        (str(tmp_path / "twice.h"), line) for line in (2, 3, 4, 5)
    }


def test_each_version_of_dwarf_counts_files_in_its_own_way(tmp_path):
    (tmp_path / "twice.h").write_text(LIBRARY)
    text = '#include "twice.h"\nint main(void)\n{\n    return twice(2) - 4;\n}\n'
    found = {}
    for version in (4, 5):
        path = build(text, tmp_path, f"-gdwarf-{version}", name=f"prog{version}")
        program = read_program(path, "prog", lambda _: True)
        table = find_blocks([program], lambda _: True, lambda file, line: "")
        found[version] = {(Path(block.file).name, block.line) for block in table.blocks}
    header = {("twice.h", line) for line in (2, 3, 4, 5)}
    for version, blocks in found.items():
        assert blocks == header | {(f"prog{version}.c", line) for line in (3, 4, 5)}

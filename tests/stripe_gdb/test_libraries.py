"""Shared libraries of the user's are not recorded, and a note names them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded

pytestmark = [needs_gdb, needs_cc]

PLUG = "int scale(int v)\n{\n    if (v > 2)\n        v = v * 10;\n    return v;\n}\n"
LINKED = """\
#include <stdio.h>
int scale(int);
int main(void)
{
    printf("%d\\n", scale(3));
    return 0;
}
"""
OPENED = """\
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *library = dlopen("./libplug.so", RTLD_NOW);
    int (*scale)(int) = (int (*)(int))dlsym(library, "scale");
    printf("%d\\n", scale(3));
    return 0;
}
"""


def plugged(folder: Path, text: str, *options: str) -> Path:
    """A program, and a library ``libplug.so`` made with some options."""
    (folder / "plug.c").write_text(PLUG)
    make = ("cc", "-shared", "-fPIC", *options, "plug.c", "-o", "libplug.so")
    subprocess.run(make, check=True, cwd=folder)
    linked = (f"-Wl,--no-as-needed,-rpath,{folder}", str(folder / "libplug.so"))
    return build(text, folder, *(() if "dlopen" in text else linked))


@pytest.mark.parametrize("engine", ["gdb", "ptrace"])
@pytest.mark.parametrize("text", [LINKED, OPENED], ids=["linked", "dlopen"])
def test_libraries_of_the_users_are_named(text, engine, tmp_path):
    with recorded(plugged(tmp_path, text, "-g"), engine=engine) as recording:
        assert recording.plain.stdout == b"30\n"
        [note] = recording.notes
    assert note.startswith(
        "The program runs code of yours in the shared library libplug.so (plug.c)"
    )
    assert "not recorded" in note


def test_libraries_without_debug_information_are_not(tmp_path):
    with recorded(plugged(tmp_path, LINKED, "-g0")) as recording:
        assert recording.notes == []


def test_those_that_are_excluded_are_not(tmp_path):
    program = plugged(tmp_path, LINKED, "-g")
    with recorded(program, exclude=("plug.c",)) as recording:
        assert recording.notes == []


def test_nothing_is_said_where_nobody_saw_what_the_program_opens(tmp_path):
    """At a terminal all files of the folder count as read, for other purposes."""
    plugged(tmp_path, LINKED, "-g")
    program = build("int main(void)\n{\n    return 0;\n}\n", tmp_path, name="other")
    with recorded(program, tty=True) as recording:
        assert recording.reads.unseen
        assert recording.notes == []


def test_a_program_that_is_read_is_no_library(tmp_path):
    text = '#include <stdio.h>\nint main(void)\n{\n    return !fopen("first", "r");\n}\n'
    build("int main(void)\n{\n    return 0;\n}\n", tmp_path, name="first")
    with recorded(build(text, tmp_path)) as recording:
        assert recording.plain.status == 0
        assert recording.notes == []

"""Programs of all kinds, started in all ways."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from tests.e2e.harness import Room, snapshot


def test_arguments_and_options_after_the_program(room: Room) -> None:
    room.program("import sys\nx = 1\nprint(sys.argv)\n")
    run = room.trace("prog.py", "--check", "stdout", "one", "--check", "-q", "two words")
    assert run.lines() == [1, 3]
    assert run.result["command"] == ["prog.py", "one", "--check", "-q", "two words"]
    room.program("import sys\nprint('argv', sys.argv == ['prog.py', '--verbose', ''])\n")
    run = room.stripe("trace", "prog.py", "--check", "stdout:/argv True/", "--", "--verbose", "")
    assert run.status == 0


def test_a_module(room: Room) -> None:
    room.file("tool.py", "import sys\nx = 1\nprint(__name__, sys.argv[1:])\n")
    run = room.trace("-m", "tool", "one")
    assert run.lines() == [1, 3]


def test_a_package(room: Room) -> None:
    room.file("package/__init__.py", "loaded = True\n")
    room.file("package/__main__.py", "from . import parts\n\nunused = 1\nprint(parts.total(3))\n")
    room.file("package/parts.py", "def total(n):\n    unused = 2\n    return n * 2\n")
    run = room.trace("-m", "package")
    assert run.lines(file="package/__main__.py") == [1, 4]
    assert run.lines(file="package/parts.py") == [1, 3]


def test_a_module_of_the_standard_library_is_included_by_name(room: Room) -> None:
    room.file("data.json", '{"b": 1, "a": [2]}')
    run = room.trace(
        "--include", "json/tool.py", "-m", "json.tool", "--max-tests", "8", "data.json"
    )
    assert run.result["files"][0]["path"].endswith("json/tool.py")


def test_include_and_exclude(room: Room) -> None:
    room.file("helper.py", "def double(n):\n    unused = 1\n    return 2 * n\n")
    room.program("import helper\nx = 3\nprint(helper.double(x))\n")
    both = room.trace("prog.py").result
    assert sorted(file["path"] for file in both["files"]) == ["helper.py", "prog.py"]
    only = room.trace("prog.py", "--exclude", "helper.py")
    assert [file["path"] for file in only.result["files"]] == ["prog.py"]
    assert only.lines() == [1, 2, 3]


def test_with_only_nothing_else_counts(room: Room) -> None:
    room.file("helper.py", "def double(n):\n    unused = 1\n    return 2 * n\n")
    room.program("import helper\nx = 3\nprint(helper.double(x))\n")
    helper = room.trace("prog.py", "--only", "helper")
    assert [file["path"] for file in helper.result["files"]] == ["helper.py"]
    assert helper.lines() == [1, 3]


OWN_MODULES = {
    "stripe.py": "charge = 7\n",
    "stripe_pytrace.py": "mine = 'yes'\n",
    "ast.py": "tree = 'oak'\n",
    "struct.py": "pack = 'wolves'\n",
    "types.py": "font = 'Garamond'\n",
    "marshal_like.py": "x = 1\n",
    "signal.py": "colour = 'red'\n",
    "select.py": "from stripe import charge\n",
}


def test_a_program_gets_its_own_modules_whatever_they_are_called(room: Room) -> None:
    """Its own ``stripe``, and others that shadow what our own code needs."""
    for name, text in OWN_MODULES.items():
        room.file(name, text)
    # In some builds it is a part of the interpreter, which nothing can shadow.
    select = "" if "select" in sys.builtin_module_names else ", select"
    room.program(
        f"import stripe, stripe_pytrace, ast, struct, signal{select}\nunused = 1\n"
        "print(stripe.charge, stripe_pytrace.mine, ast.tree, struct.pack, signal.colour,"
        f" {'select.charge' if select else 0})\n"
    )
    run = room.trace("prog.py")
    assert run.lines(file="prog.py") == [1, 3]
    assert run.lines(file="stripe.py") == [1]
    assert run.lines(file="ast.py") == [1]


def test_a_program_with_its_own_stripe(room: Room) -> None:
    room.file("stripe.py", "charge = 7\n")
    room.file("stripe_pytrace/__init__.py", "from stripe import charge\n")
    room.program("import stripe, stripe_pytrace\nunused = 1\nprint(stripe_pytrace.charge)\n")
    run = room.trace("prog.py")
    assert run.lines(file="prog.py") == [1, 3]
    assert run.lines(file="stripe.py") == [1]


def test_a_program_does_not_see_ours(room: Room) -> None:
    room.program(
        "import sys\n"
        "print([name for name in sys.modules if 'stripe' in name])\n"
        "try:\n    import stripe_pytrace\n    print('found')\n"
        "except ImportError:\n    print('none')\n"
    )
    bare = room.work.parent / "bare"
    venv.create(bare, symlinks=True)
    run = room.stripe("trace", "prog.py", "--python", str(bare), "--check", "stdout:/none/")
    assert run.status == 0, run


def test_by_absolute_path_inside_the_working_directory(room: Room) -> None:
    room.program("import os, sys\nx = 1\nprint(sys.argv[0], os.getcwd(), __file__)\n")
    run = room.trace(str(room.work / "prog.py"), "--check", "stdout:/work.prog.py /")
    assert run.lines() == [1, 3]


def test_by_absolute_path_outside_the_working_directory(room: Room) -> None:
    outside = room.elsewhere / "prog.py"
    outside.write_text("import helper\nx = 1\nprint(helper.answer)\n")
    (room.elsewhere / "helper.py").write_text("answer = 42\n")
    (room.elsewhere / "__pycache__").mkdir()  # written to, as by Python itself

    def files() -> dict[str, tuple[object, ...]]:
        return {k: v for k, v in snapshot(room.elsewhere).items() if "__pycache__" not in k}

    before = files()
    run = room.trace(str(outside))
    assert run.lines(file=str(outside)) == [1, 3]
    assert files() == before


def test_a_directory_with_a_space_and_other_letters(tmp_path: Path) -> None:
    room = Room(tmp_path, "mein Ordner für Größen ✓")
    room.file("data.txt", "zwölf\n")
    room.program("x = 1\nprint(open('data.txt', encoding='utf-8').read())\n", "prüfe das.py")
    assert room.trace("prüfe das.py").lines() == [2]


def test_a_script_without_suffix(room: Room) -> None:
    room.program("#!/usr/bin/env python3\nx = 1\nprint('hello')\n", "tool")
    assert room.trace("tool").lines() == [3]


def test_another_interpreter_with_nothing_installed(room: Room) -> None:
    room.program("import sys\nprint(sys.prefix)\n")
    bare = room.work.parent / "bare"
    venv.create(bare, symlinks=True)
    run = room.trace("prog.py", "--python", str(bare / "bin" / "python"))
    assert run.lines() == [1, 2]


def test_what_the_program_reads(room: Room) -> None:
    room.program("import sys\nunused = sys.stdin.readline()\nprint(len(sys.stdin.read()))\n")
    room.file("input.txt", "one\ntwo\n")
    for run in (
        room.trace("prog.py", "--stdin", "input.txt"),
        room.trace("prog.py", "--input", "one\ntwo\n"),
        room.trace("prog.py", stdin="one\ntwo\n"),
    ):
        assert run.lines() == [1, 2, 3]


def test_threads_are_noted(room: Room) -> None:
    room.program(
        "import threading, time\nfound = []\nunused = 1\n\n\ndef work():\n    time.sleep(0.2)\n"
        "    found.append(5)\n\n\nthread = threading.Thread(target=work)\nthread.start()\n"
        "thread.join()\nprint(found)\n"
    )
    run = room.trace("prog.py")
    assert run.lines() == [1, 2, 6, 11, 12, 13, 14]
    assert any("starts threads" in note and "not recorded" in note for note in run.result["notes"])


@pytest.mark.parametrize(
    ("end", "check", "lines"),
    [
        ("sys.exit(7)", "exit", [1, 3]),
        ("sys.exit('no luck')", "stderr+exit", [1, 3]),
        ("raise SystemExit(300)", "exit", [3]),
        ("print(undefined)", "exception", [3]),
        ("assert sys.argv == [], 'has arguments'", "exception", [1, 3]),
    ],
)
def test_ways_to_end(room: Room, end: str, check: str, lines: list[int]) -> None:
    room.program(f"import sys\nunused = 1\n{end}\n")
    assert room.trace("prog.py", "--check", check).lines() == lines


def test_the_default_check_is_the_exception_if_there_is_one(room: Room) -> None:
    room.program("print('one')\nx = []\nx[1]\n")
    run = room.trace("prog.py")
    assert run.slice()["check"] == "exception"
    assert run.lines() == [2, 3]


def test_the_default_check_is_stdout_otherwise(room: Room) -> None:
    room.program("print('one')\nx = []\n")
    run = room.trace("prog.py")
    assert run.slice()["check"] == "stdout"
    assert run.lines() == [1]


def test_the_library_in_a_fresh_interpreter(room: Room) -> None:
    room.program("a = 1\nb = 2\nprint('b', b)\n")
    code = (
        "import json, stripe\n"
        "result = stripe.trace('prog.py', check='stdout:/^b/')\n"
        "assert 'events kept' in stripe.render(result)\n"
        "print(json.dumps(result.to_json()))\n"
    )
    run = room.stripe(words=[sys.executable, "-P", "-c", code])
    assert run.status == 0, run
    assert run.lines() == [2, 3]


def test_the_library_raises_what_the_command_says(room: Room) -> None:
    code = (
        "import stripe\n"
        "try:\n    stripe.trace('nowhere.py')\n"
        "except stripe.UsageError as error:\n    print(error.slug)\n"
    )
    run = room.stripe(words=[sys.executable, "-P", "-c", code])
    assert (run.status, run.out) == (0, "no-such-program\n")


def test_several_jobs_at_a_time(room: Room) -> None:
    room.program("a = 1\nb = 2\nopen('out', 'w').write(str(b))\nprint(open('out').read())\n")
    assert room.trace("prog.py", "--jobs", "2").lines() == [2, 3, 4]


def test_warnings_of_the_compiler(room: Room) -> None:
    room.file("module.py", 'def f():\n    return "\\d"\n')
    room.program('import module\nunused = "\\s"\nprint(module.f())\n')
    assert room.trace("prog.py", "--check", "stdout").lines(file="prog.py") == [1, 3]
    assert room.trace("prog.py", "--check", "stderr").lines(file="prog.py") == [1]

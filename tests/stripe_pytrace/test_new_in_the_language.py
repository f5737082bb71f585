"""What came with each version: recorded, replayed in full, and reduced to slices that make sense.

To record includes that the plain run, the recorded run and the full replay do the same.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import stripe
from tests.support.recordings import recorded

BOTH = pytest.mark.parametrize("control", ["trace", "program"])


def since(minor: int) -> pytest.MarkDecorator:
    reason = f"the language of Python 3.{minor}"
    return pytest.mark.skipif(sys.version_info < (3, minor), reason=reason)


def kept(folder: Path, control: str, check: str, **sources: str) -> list[str]:
    """The kept lines of ``program``, and of the modules that it imports."""
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)
    found = stripe.trace("program.py", directory=folder, check=check, control=control, watch=False)
    (one,) = found.slices
    assert (one.certified, one.verified) == (True, True)
    return [
        found.trace.files[file].lines[line - 1].strip()
        for file, line in sorted(one.lines(found.trace))
    ]


# -- strings that are templates

TEMPLATE = """\
def shout(word):
    return word.upper()

name = "ann"
width = 6
other = "unused"
unseen = t"{other}"
greeting = t"dear {shout(name)!s:>{width}}!"
text = ""
for part in greeting:
    if isinstance(part, str):
        text += part
    else:
        text += format(part.value, part.format_spec)
print(text)
"""


@since(14)
@BOTH
def test_a_template_depends_on_what_is_interpolated(tmp_path, control):
    lines = kept(tmp_path, control, "stdout:/   ANN/", program=TEMPLATE)
    assert {"def shout(word):", "return word.upper()", 'name = "ann"', "width = 6"} <= {*lines}
    assert not {'other = "unused"', 'unseen = t"{other}"'} & {*lines}


@since(14)
@BOTH
def test_a_template_that_raises(tmp_path, control):
    text = 'size = 0\nnote = "?"\nprint("a")\nmade = t"{note}: {1 // size:>3}"\nprint("b")\n'
    lines = kept(tmp_path, control, "exception", program=text)
    assert lines == ["size = 0", 'note = "?"', 'made = t"{note}: {1 // size:>3}"']


# -- except without parentheses

SEVERAL = """\
def risky(number):
    return 1 // number

caught = []
for number in (1, 0):
    try:
        risky(number)
    except ValueError, ZeroDivisionError:
        caught.append(number)
print(caught)
"""


@since(14)
@BOTH
def test_several_exceptions_without_parentheses(tmp_path, control):
    lines = kept(tmp_path, control, r"stdout:/\[0\]/", program=SEVERAL)
    assert {"return 1 // number", "caught.append(number)", "print(caught)"} <= {*lines}


# -- leaving a finally

LEAVING = """\
import sys

def parse(text):
    try:
        return int(text)
    except ValueError:
        unused = text
        raise
    finally:
        return -1

def count():
    while True:
        try:
            raise KeyError
        finally:
            break
    return 1

print(parse("x"), count(), file=sys.stderr)
"""


@BOTH
def test_leaving_a_finally_warns_as_plainly(tmp_path, control):
    lines = kept(tmp_path, control, "stderr:/-1 1/", program=LEAVING)
    assert {"return -1", "def count():", "return 1"} <= {*lines}
    assert "unused = text" not in lines


def test_warnings_of_the_compiler_are_those_of_the_plain_run(tmp_path):
    (tmp_path / "module.py").write_text(LEAVING)
    with recorded(tmp_path, "import module\n" + LEAVING, name="program.py") as recording:
        for fresh in (False, True):
            with recording.replay(range(len(recording.trace)), fresh=fresh) as full:
                assert full.stderr == recording.plain.stderr
        warned = len(re.findall(rb"SyntaxWarning: '(?:return|break)' in", recording.plain.stderr))
        assert warned == (4 if sys.version_info >= (3, 14) else 0)


# -- imports that are made when they are used

MODULE = """\
print("imported")
def seven():
    return 7
other = 3
"""

LAZY = """\
{lazy}import module
unused = 1
print("start")
if len("ab") > 1:
    print(module.seven())
"""

EAGERLY = ["import module", "print(module.seven())", "def seven():", "return 7"]


def plain_output(folder: Path) -> str:
    with recorded(folder, name="program.py") as recording:
        return recording.plain.stdout.decode()


@since(15)
@BOTH
def test_a_lazy_import_runs_where_it_is_used(tmp_path, control):
    program = LAZY.format(lazy="lazy ")
    lines = kept(tmp_path, control, "stdout:/^7/", program=program, module=MODULE)
    condition = ['if len("ab") > 1:'] if control == "program" else []
    expected = ["lazy import module", *condition, *EAGERLY[1:]]
    assert sorted(lines) == sorted(expected)
    assert plain_output(tmp_path) == "start\nimported\n7\n"


@since(15)
@BOTH
def test_all_imports_lazy_by_the_environment(tmp_path, control, monkeypatch):
    monkeypatch.setenv("PYTHON_LAZY_IMPORTS", "all")
    program = LAZY.format(lazy="")
    lines = kept(tmp_path, control, "stdout:/^7/", program=program, module=MODULE)
    condition = ['if len("ab") > 1:'] if control == "program" else []
    assert sorted(lines) == sorted(["import module", *condition, *EAGERLY[1:]])
    assert plain_output(tmp_path) == "start\nimported\n7\n"


SEVERAL_LAZY = """\
import contextlib
lazy from module import seven, other
with contextlib.nullcontext():
    lazy import second
    import third
for number in (1,):
    lazy import fourth as last
print("start")
print(seven(), other)
print(second.here, third.here, last.here)
"""


@since(15)
def test_lazy_imports_within_other_statements(tmp_path):
    (tmp_path / "module.py").write_text(MODULE)
    for name in ("second", "third", "fourth"):
        (tmp_path / f"{name}.py").write_text(f"here = print('{name}')\n")
    (tmp_path / "program.py").write_text(SEVERAL_LAZY)
    assert plain_output(tmp_path).split() == (
        ["third", "start", "imported", "7", "3", "second", "fourth", "None", "None", "None"]
    )


@since(15)
@BOTH
def test_a_lazy_import_that_fails_where_it_is_used(tmp_path, control):
    program = "lazy import module\nunused = 1\nprint('start')\nprint(module.seven)\n"
    failing = "size = 0\nother = 2\nsize = 1 // size\n"
    lines = kept(tmp_path, control, "exception", program=program, module=failing)
    assert sorted(lines) == sorted(
        ["lazy import module", "print(module.seven)", "size = 0", "size = 1 // size"]
    )


@since(15)
def test_lazy_imports_of_a_package_in_which_nothing_is_recorded(tmp_path):
    package = tmp_path / "site-packages" / "package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import rest\nfour = 4\n")
    (package / "rest.py").write_text("lazy import csv\nif csv:\n    lazy import csv as other\n")
    (tmp_path / "program.py").write_text(
        "import sys\nsys.path.append('site-packages')\nimport package\nprint(package.four)\n"
    )
    found = stripe.trace("program.py", directory=tmp_path, check="stdout", include=["package"])
    (one,) = found.slices
    assert (one.certified, one.verified) == (True, True)
    assert {line for _, line in one.lines(found.trace)} == {1, 2, 3, 4}


# -- unpacking in comprehensions

UNPACKED = """\
def pairs(number):
    return [number, number * 2]

unused = pairs(9)
rows = [pairs(1), pairs(4)]
flat = [*row for row in rows]
some = {*row for row in rows}
both = {**each for each in ({"a": 1}, {"b": 2})}
lazily = (*row for row in rows)
print(flat, sorted(some), both, list(lazily))
"""


@since(15)
@BOTH
def test_unpacking_in_comprehensions(tmp_path, control):
    lines = kept(tmp_path, control, "stdout", program=UNPACKED)
    assert "unused = pairs(9)" not in lines
    assert {"flat = [*row for row in rows]", "lazily = (*row for row in rows)"} <= {*lines}


# -- new builtins

FROZEN = """\
MISSING = sentinel("MISSING")
settings = {}
settings["debug"] = 0
known = frozendict(settings)
level = known.get("debug", MISSING)
if level is MISSING:
    print("unknown")
elif not level:
    print("quiet", known)
"""


@since(15)
@BOTH
def test_new_builtins(tmp_path, control):
    lines = kept(tmp_path, control, "stdout:/quiet frozendict/", program=FROZEN)
    assert "known = frozendict(settings)" in lines


@since(15)
def test_what_is_in_a_frozen_dictionary_is_compared(tmp_path):
    program = 'made = {}\nmade["a"] = 1\nfrozen = frozendict(made)\nprint(len(frozen) < 5)\n'
    (tmp_path / "program.py").write_text(program)
    options = {"directory": tmp_path, "check": "stdout", "watch": False}
    (free,) = stripe.trace("program.py", values="free", **options).slices
    (same,) = stripe.trace("program.py", values="same", **options).slices
    assert (len(free.events), len(same.events)) == (3, 4)
    assert free.others


@since(14)
def test_what_is_in_a_template_is_compared(tmp_path):
    program = 'size = 1\nsize = 2\nmade = t"{size}"\nprint(made.values[0] < 5)\n'
    (tmp_path / "program.py").write_text(program)
    found = stripe.trace(
        "program.py", directory=tmp_path, check="stdout", values="same", watch=False
    )
    assert [found.trace.name(event) for event in found.slices[0].events] == ["2_2", "3_3", "4_4"]

"""Installed packages: what is said of those not looked into, and what is recorded of others."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import stripe
from stripe.reduce.reading import from_json
from stripe.reduce.result import Result


def test_the_package_that_raised_is_named_with_the_option(tmp_path, monkeypatch):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "ratios.py").write_text("def ratio(n):\n    return 10 / (n - 3)\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "crash.py").write_text("import ratios\nprint(ratios.ratio(3))\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    told = stripe.render(stripe.trace("crash.py", directory=project))
    assert told.splitlines()[1:5] == [
        "exception    ZeroDivisionError: division by zero",
        "raised by    ratios.py:2, in ratio, which is installed",
        "             to look into it: --include ratios",
        "called from  2_2  crash.py:2  print(ratios.ratio(3))",
    ]


def test_a_package_that_ran_is_named_and_can_be_looked_into(tmp_path, monkeypatch):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "ratios.py").write_text("def ratio(n):\n    m = n * 2\n    return 10 / m\n")
    (packages / "idle.py").write_text("def ratio(n):\n    return n\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "wrong.py").write_text("import ratios, idle\nprint(ratios.ratio(3))\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    result = stripe.trace("wrong.py", check="stdout", directory=project)
    assert "Not looked into: ratios (installed). To do so: --include ratios" in result.notes
    result = stripe.trace("wrong.py", check="stdout", directory=project, include=["ratios"])
    assert [file.path.rpartition("/")[2] for file in result.trace.files] == [
        "wrong.py",
        "ratios.py",
    ]
    assert not any("Not looked into" in note for note in result.notes)


def test_a_module_of_python_that_raised_is_named(tmp_path):
    (tmp_path / "crash.py").write_text("import json\nprint(json.loads('{'))\n")
    result = stripe.trace("crash.py", directory=tmp_path)
    told = stripe.render(result)
    assert "raised by    json/decoder.py:" in told
    assert ", which comes with Python\ncalled from  2_2  crash.py:2" in told
    again = from_json(result.to_json()).recorded
    assert again is not None
    assert again.exception is not None
    assert again.exception.innermost.startswith("json/decoder.py:")


TABLES = """\
import itertools

def double(n):
    return n * 2

SIZES = [double(n) for n in range(20)]
numbers = (n for n in itertools.count(5))

class Box:
    kinds = []
    for each in ("a", "b"):
        kinds.append(each)

    def width(self, n):
        wide = SIZES[n]
        return wide + len(self.kinds)

if SIZES:
    ready = True
else:
    ready = False
"""


def traced(tmp_path: Path, program: str, package: str = TABLES, **options: Any) -> Result:
    """Trace a program outside whose project there is a package ``tables``, looked into."""
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    (packages / "tables.py").write_text(package)
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    (project / "prog.py").write_text(program)
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    options = {"include": ["tables"], "environment": environment, **options}
    return stripe.trace("prog.py", directory=project, **options)


def events_of(result: Result) -> list[tuple[str, int]]:
    """File and line of each recorded event."""
    trace = result.trace
    found = (trace.statements[number] for number in trace.statement)
    return [(trace.files[each.file].path.rpartition("/")[2], each.line) for each in found]


def test_an_import_from_outside_the_project_is_one_event(tmp_path):
    result = traced(tmp_path, "import tables\nprint(tables.Box().width(3))\n", check="stdout")
    assert events_of(result) == [
        ("prog.py", 1),
        ("prog.py", 2),
        ("tables.py", 15),
        ("tables.py", 16),
    ]
    assert result.slices[0].certified
    # What ran while it was imported is not told as not executed, and what did not is not as run.
    assert set(result.trace.files[1].elsewhere) == {1, 3, 4, 6, 7, 9, 10, 11, 12, 14, 18, 19}


def test_an_import_that_fails_is_looked_into(tmp_path):
    package = "limits = {'a': 1}\nwidth = limits['b']\n"
    result = traced(tmp_path, "import tables\nprint(tables.width)\n", package)
    assert ("tables.py", 2) in events_of(result)
    handled = "try:\n    import tables\nexcept KeyError:\n    print(1)\nprint(1 / 0)\n"
    assert ("tables.py", 2) not in events_of(traced(tmp_path, handled, package))


def test_what_goes_on_that_began_in_an_import_is_looked_into(tmp_path):
    package = "def count():\n    n = 5\n    while True:\n        yield n\n        n += 1\n"
    package += "numbers = count()\nfirst = next(numbers)\n"
    program = "import tables\nprint(next(tables.numbers) + next(tables.numbers))\n"
    result = traced(tmp_path, program, package, check="stdout")
    assert ("tables.py", 6) in events_of(result)
    assert result.slices[0].certified


def test_a_library_that_runs_as_the_program_is_no_import(tmp_path):
    packages = tmp_path / "site-packages"
    packages.mkdir()
    (packages / "tool.py").write_text("import helper\nn = helper.two()\nprint(n)\n")
    (packages / "helper.py").write_text("TWO = 2\ndef two():\n    return TWO\n")
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    result = stripe.trace(
        "tool",
        module=True,
        directory=tmp_path,
        check="stdout",
        include=["tool", "helper"],
        environment=environment,
    )
    assert events_of(result) == [
        ("tool.py", 1),
        ("tool.py", 2),
        ("helper.py", 3),
        ("tool.py", 3),
    ]

"""Libraries from PyPI at work on something realistic, to search slices in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real.sdists import unpacked
from stripe.backend import Target


@dataclass(frozen=True)
class Library:
    """A source distribution, its parts that count, a program that leans on them, and a check."""

    name: str
    version: str
    parts: tuple[str, ...]
    program: str
    check: str
    apart: bool = False
    """Whether it is put aside while a search is tuned."""

    def tree(self) -> Path:
        """The folder that has its parts; raises OSError where it cannot be had."""
        return unpacked(self.name, self.version)[1]

    def place(self, folder: Path) -> Target:
        """The program, with the library beside it; raises OSError where that cannot be had."""
        tree = self.tree()
        for part in self.parts:
            source = tree / part
            if source.is_dir():
                shutil.copytree(source, folder / source.name)
            else:
                shutil.copy(source, folder / source.name)
        (folder / "use.py").write_text(self.program, "utf-8")
        return Target("use.py", directory=folder)


MARKDOWN_TEXT = """\
# Report

Some *emphasis*, some **strong** words, and `code` in a paragraph
that goes on for two lines, with a [link](http://example.org/).

## List of things

- first thing
- second thing with *words*
- third

> quoted text

1. one
2. two

## Last section

The end, with a line  \\
broken here.
"""

LIBRARIES = [
    Library("mistune", "3.4.0", ("src/mistune",), f"""\
import mistune
TEXT = {MARKDOWN_TEXT!r}
print(mistune.html(TEXT))
""", "stdout:/second thing/"),
    Library("sqlparse", "0.6.1", ("sqlparse",), """\
import sqlparse
QUERY = "select a.name, sum(b.total) as t from people a join orders b on a.id = b.person " \\
        "where b.day > '2026-01-01' and (a.town = 'X' or a.town = 'Y') group by a.name"
print(sqlparse.format(QUERY, reindent=True, keyword_case="upper"))
""", "stdout:/JOIN/", True),
    Library("markdown", "3.11.3", ("markdown",), f"""\
import markdown
TEXT = {MARKDOWN_TEXT!r}
print(markdown.markdown(TEXT))
""", "stdout:/<h2>/"),
    Library("chevron", "0.14.0", ("chevron",), """\
import chevron
TEMPLATE = "Dear {{name}},\\n{{#orders}}\\n- {{item}}: {{price}}{{^paid}} (open){{/paid}}\\n" \\
           "{{/orders}}\\n{{! comment }}Total {{total}}\\n"
orders = [{"item": f"thing {n}", "price": 3 * n, "paid": n % 3 == 0} for n in range(12)]
print(chevron.render(TEMPLATE, {"name": "Ann", "orders": orders, "total": 198}))
""", "stdout:/thing 7/", True),
    Library("tomlkit", "0.15.2", ("tomlkit",), """\
import tomlkit
TEXT = '''
title = "example"
[owner]
name = "Ann"
born = 1979-05-27
[database]
ports = [8000, 8001, 8002]
limits = { cpu = 79.5, memory = 72.0 }
enabled = true
'''
document = tomlkit.parse(TEXT)
document["database"]["ports"].append(9000)
document["owner"]["name"] = "Bob"
print(tomlkit.dumps(document))
""", "stdout:/^ports/"),
    Library("tabulate", "0.10.0", ("tabulate",), """\
from tabulate import tabulate
rows = [[f"name {n}", n * 7 % 10, n / 3, "x" * (n % 5)] for n in range(14)]
print(tabulate(rows, ["name", "count", "ratio", "mark"], tablefmt="github"))
""", "stdout:/name 9/", True),
    Library("docopt", "0.6.2", ("docopt.py",), '''\
"""Naval fate.

Usage:
  ship new <name>...
  ship <name> move <x> <y> [--speed=<kn>]
  ship mine (set|remove) <x> <y> [--moored|--drifting]
  ship --version

Options:
  --speed=<kn>  Speed in knots [default: 10].
  --moored      Moored mine.
  --drifting    Drifting mine.
"""
from docopt import docopt
arguments = docopt(__doc__, ["titanic", "move", "1", "2", "--speed=15"])
for name in sorted(arguments):
    print(name, arguments[name])
''', "stdout:/^--speed/"),
    Library("jmespath", "1.1.0", ("jmespath",), """\
import jmespath
people = [{"name": f"p{n}", "age": n * 7 % 60, "tags": ["a", "b"][: n % 3]} for n in range(15)]
for query in ("people[?age > `30`].name", "people[*].tags[] | length(@)",
              "max_by(people, &age).name"):
    print(query, jmespath.search(query, {"people": people}))
""", "stdout:/^max_by/", True),
    Library("simpleeval", "1.0.8", ("simpleeval.py",), """\
from simpleeval import EvalWithCompoundTypes
names = {"price": 12, "count": 7, "rates": [0.1, 0.2, 0.3], "limit": 50}
functions = {"double": lambda value: 2 * value}
evaluator = EvalWithCompoundTypes(names=names, functions=functions)
for text in ("price * count", "price * count > limit and limit or 0", "double(price) + rates[1]",
             "[rate * price for rate in rates if rate > 0.1]", "'a' + 'b' if count % 2 else 'c'",
             "{'x': 1, 'y': (2, 3)}['y'][1] ** 3", "sum if False else price // 5"):
    print(text, "=", evaluator.eval(text))
""", "stdout:/^double/"),
    Library("pyflakes", "4.1.0", ("pyflakes",), """\
import sys
from pyflakes.api import check
from pyflakes.reporter import Reporter
CODE = '''
import os, sys
from json import loads as read
def f(a, b):
    unused = a + b
    return missing
class C:
    def g(self):
        import re
        return [x for x in self.y if x]
print(f(1, 2))
'''
check(CODE, "code.py", Reporter(sys.stdout, sys.stdout))
""", "stdout:/missing/", True),
]  # fmt: skip

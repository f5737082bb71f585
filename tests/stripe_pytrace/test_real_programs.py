# ruff: noqa: E501
"""Programs nobody here wrote: tools of the standard library and packages from PyPI.

They are the user's code here (``include``).  That they can be recorded at all says that plain
run, recorded run and full replay agree byte for byte; some random configurations are replayed
as well, to see that none upsets the agent.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from stripe.backend import End, Target
from stripe_pytrace.backend import PythonBackend
from tests.support.caching import cache_folder, locked

pytestmark = pytest.mark.realworld

TEXT = "The quick brown fox\njumps over the lazy dog.\n"
JSON = '{"b": [1, 2, {"c": null}], "a": "text", "d": 1.5e3}'
CODE = "def f(x):\n    return [x, x + 1]\n\nprint(f(1))\n"
HTML = "<html><body><p class='a'>one &amp; two<br>three</p><!-- c --></body></html>"
INI = "[a]\nx = 1\ny = %(x)s2\n[b]\nz: yes\n"

MODULES = [
    ("json.tool", ["data.json"], ["json"]),
    ("tokenize", ["code.py"], ["tokenize"]),
    ("calendar", ["2026", "11"], ["calendar"]),
    ("ast", ["code.py"], ["ast"]),
    ("tabnanny", ["code.py"], ["tabnanny"]),
    ("base64", ["-e", "data.txt"], ["base64"]),
    ("quopri", ["data.txt"], ["quopri"]),
    ("pickletools", ["data.pickle"], ["pickletools"]),
    ("this", [], ["this"]),
    ("py_compile", ["code.py"], ["py_compile"]),
    ("symtable", ["code.py"], ["symtable"]),
    ("gzip", ["data.txt"], ["gzip"]),
    ("zipfile", ["-c", "out.zip", "data.txt"], ["zipfile"]),
    ("tarfile", ["-c", "out.tar", "data.txt"], ["tarfile"]),
    ("mimetypes", ["data.txt", "data.json"], ["mimetypes"]),
    ("sysconfig", [], ["sysconfig"]),
]

SCRIPTS = {
    "difflib": "import difflib\nprint(''.join(difflib.unified_diff(list('abcdef'), list('abxdf'))))\n"
    "print(difflib.get_close_matches('appel', ['ape', 'apple', 'peach']))\n",
    "textwrap": "import textwrap\nprint(textwrap.fill(open('data.txt').read() * 5, 30))\n"
    "print(textwrap.dedent('  a\\n   b'), textwrap.shorten('one two three', 9))\n",
    "csv": "import csv, io\nrows = list(csv.DictReader(io.StringIO('a,b\\n1,2\\n3,4\\n')))\nprint(rows)\n"
    "csv.DictWriter(open('o.csv', 'w'), ['a', 'b']).writerows(rows)\n"
    "print(csv.Sniffer().sniff('a;b\\n1;2\\n').delimiter)\n",
    "heapq": "import heapq\nheap = []\nfor n in (5, 1, 4, 2): heapq.heappush(heap, n)\n"
    "print(heapq.nsmallest(2, heap), list(heapq.merge([1, 3], [2, 4])))\n",
    "configparser": "import configparser\nc = configparser.ConfigParser()\nc.read('data.ini')\n"
    "print(c.sections(), c['a']['y'], c.getboolean('b', 'z'))\n",
    "string": "import string\nprint(string.Template('$a and ${b}').substitute(a=1, b=2))\n"
    "print(string.capwords('one two'), string.Formatter().format('{0:>5}', 'x'))\n",
    "fractions": "from fractions import Fraction\nprint(sum(Fraction(1, n) for n in range(1, 8)))\n",
    "statistics": "import statistics\nprint(statistics.mean([1, 2, 4]), statistics.stdev([1, 2, 4]))\n",
    "shlex": "import shlex\nprint(shlex.split('a \"b c\" d\\\\ e'), shlex.quote('x y'))\n",
    "pprint": "import pprint\npprint.pprint({'k' * n: list(range(n)) for n in range(1, 12)})\n",
    "argparse": "import argparse\np = argparse.ArgumentParser(prog='p')\np.add_argument('-n', type=int)\n"
    "p.add_argument('x', nargs='*')\nprint(p.parse_args(['-n', '3', 'a', 'b']))\np.print_help()\n",
    "xml": "import xml.etree.ElementTree as E\nr = E.fromstring('<a><b k=\"1\">t</b></a>')\n"
    "print(E.tostring(r), r.find('b').attrib)\n",
    "html": "from html.parser import HTMLParser\n\nclass P(HTMLParser):\n"
    "    def handle_starttag(self, tag, attrs): print(tag, attrs)\n"
    "    def handle_data(self, data): print(repr(data))\n\nP().feed(open('data.html').read())\n",
    "ipaddress": "import ipaddress\nprint(list(ipaddress.ip_network('10.0.0.0/30').hosts()))\n",
    "graphlib": "import graphlib\nprint(list(graphlib.TopologicalSorter({'c': 'ab', 'b': 'a'}).static_order()))\n",
    "colorsys": "import colorsys\nprint(colorsys.rgb_to_hsv(.2, .4, .6))\n",
    "dataclasses": "from dataclasses import dataclass, asdict, replace\n\n@dataclass(order=True)\nclass P:\n"
    "    x: int\n    y: int = 0\n\nprint(asdict(replace(P(1), y=2)), P(1) < P(2))\n",
}
"""A script for each module, which is named like the module it leans on."""

PACKAGES = {
    "tabulate": "from tabulate import tabulate\nprint(tabulate([['a', 1], ['b', 22]], ['k', 'n']))\n",
    "toolz": "from toolz import groupby, partition_all\nprint(groupby(len, ['a', 'bb', 'cc']))\n"
    "print(list(partition_all(2, range(5))))\n",
    "sortedcontainers": "from sortedcontainers import SortedDict, SortedList\n"
    "s = SortedList([3, 1, 2]); s.add(0); print(s, SortedDict(b=1, a=2))\n",
    "mistune": "import mistune\nprint(mistune.html('# Title\\n\\n*one* **two**\\n\\n- a\\n- b\\n'))\n",
    # Its strings have escapes that the compiler warns of.
    "docopt": "from docopt import docopt\nprint(docopt('Usage: p [--x=N] <a>', ['--x=3', 'y']))\n",
    "jmespath": "import jmespath\nprint(jmespath.search('a[?b>`1`].c', {'a': [{'b': 2, 'c': 3}]}))\n",
}


@pytest.fixture
def folder(tmp_path):
    files = {"data.json": JSON, "code.py": CODE, "data.txt": TEXT, "data.html": HTML}
    for name, text in {**files, "data.ini": INI}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "data.pickle").write_bytes(
        b"\x80\x04\x95\x06\x00\x00\x00\x00\x00\x00\x00]\x94(K\x01e."
    )
    return tmp_path


def try_out(target: Target) -> None:
    recording = PythonBackend().record(target)
    try:
        size = len(recording.trace)
        assert size > 0
        chance = random.Random(size)
        for share in (0.3, 0.9, 0.99):
            kept = recording.trace.close(event for event in range(size) if chance.random() < share)
            with recording.replay(kept) as run:
                assert run.end in End
                assert b"_stripe_agent" not in run.stderr
    finally:
        recording.close()


@pytest.mark.parametrize(
    ("module", "arguments", "include"), MODULES, ids=[module for module, *_ in MODULES]
)
def test_a_tool_of_the_standard_library(module, arguments, include, folder):
    try_out(Target(module, arguments, True, folder, include=include))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_library_module(name, folder):
    (folder / f"use_{name}.py").write_text(SCRIPTS[name])
    try_out(Target(f"use_{name}.py", [], False, folder, include=[name]))


@pytest.fixture(scope="module")
def packages():
    """What was installed stays, for each version of Python and list of packages."""
    version = ".".join(map(str, sys.version_info[:2]))
    folder = cache_folder("packages")
    with locked(folder):
        target = folder / "-".join([version, *PACKAGES])
        if not target.exists():
            fresh = Path(tempfile.mkdtemp(dir=folder))
            command = [
                sys.executable,
                "-m",
                "pip",
                "install",
                "-q",
                "--target",
                str(fresh),
                *PACKAGES,
            ]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode:
                shutil.rmtree(fresh)
                pytest.skip(f"the packages cannot be installed: {done.stderr.strip()[-300:]}")
            fresh.rename(target)
    return target


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_from_pypi(name, packages, folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(packages))
    (folder / f"use_{name}.py").write_text(PACKAGES[name])
    try_out(Target(f"use_{name}.py", [], False, folder, include=[f"{packages}/**"]))

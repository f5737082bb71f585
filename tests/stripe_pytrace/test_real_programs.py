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

from benchmarks.real.catalog import FILES, STANDARD
from benchmarks.real.catalog import PACKAGES as REAL
from stripe.backend import End, Target
from stripe_pytrace.backend import PythonBackend
from tests.support.caching import cache_folder, locked
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.realworld

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

SHARED = (
    *("difflib", "textwrap", "configparser", "string", "fractions", "statistics", "shlex"),
    *("pprint", "ipaddress", "graphlib", "colorsys", "dataclasses"),
)
SCRIPTS = {
    **{name: STANDARD[name]["script"] for name in SHARED},
    "csv": "import csv, io\nrows = list(csv.DictReader(io.StringIO('a,b\\n1,2\\n3,4\\n')))\nprint(rows)\n"
    "csv.DictWriter(open('o.csv', 'w'), ['a', 'b']).writerows(rows)\n"
    "print(csv.Sniffer().sniff('a;b\\n1;2\\n').delimiter)\n",
    "heapq": "import heapq\nheap = []\nfor n in (5, 1, 4, 2): heapq.heappush(heap, n)\n"
    "print(heapq.nsmallest(2, heap), list(heapq.merge([1, 3], [2, 4])))\n",
    "argparse": "import argparse\np = argparse.ArgumentParser(prog='p')\np.add_argument('-n', type=int)\n"
    "p.add_argument('x', nargs='*')\nprint(p.parse_args(['-n', '3', 'a', 'b']))\np.print_help()\n",
    "xml": "import xml.etree.ElementTree as E\nr = E.fromstring('<a><b k=\"1\">t</b></a>')\n"
    "print(E.tostring(r), r.find('b').attrib)\n",
    "html": "from html.parser import HTMLParser\n\nclass P(HTMLParser):\n"
    "    def handle_starttag(self, tag, attrs): print(tag, attrs)\n"
    "    def handle_data(self, data): print(repr(data))\n\nP().feed(open('data.html').read())\n",
}
"""A script for each module, which is named like the module it leans on."""

PACKAGES = {
    name: REAL[name]["script"]
    for name in ("tabulate", "toolz", "sortedcontainers", "mistune", "docopt", "jmespath")
}


@pytest.fixture
def folder(tmp_path):
    for name, text in {**FILES, "code.py": FILES["code.txt"]}.items():
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
            pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(fresh)]
            done = subprocess.run(
                [*pip, *PACKAGES], capture_output=True, text=True, timeout=PATIENCE
            )
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

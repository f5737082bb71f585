"""Regressions of packages from PyPI: ``python -m benchmarks.regressions [NAME...]``.

For each, the source distributions of two versions, and a test that passes with the one and fails
with the other.  Prints a table: what had changed, what is blamed, and what it took.
"""

from __future__ import annotations

import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.real.sdists import unpacked
from stripe.changes import find_changes


@dataclass(frozen=True)
class Regression:
    """A package, the two versions, a test, and a text in the change that is to blame.

    ``extension``: what to compile, without its suffix, for those that are partly C.
    """

    package: str
    good: str
    bad: str
    test: str
    culprit: str
    needs: tuple[tuple[str, str], ...] = ()
    extension: str = ""

    @property
    def build(self) -> str | None:
        """The command that builds a version, if it takes one."""
        if not self.extension:
            return None
        headers = sysconfig.get_paths()["include"]
        return f"cc -Werror -shared -fPIC -I{headers} {self.extension}.c -o {self.extension}.so"


REGRESSIONS = (
    Regression(
        "packaging",
        "21.3",
        "22.0",
        "from packaging.version import parse\nassert parse('french toast')\n",
        "+    return Version(version)",
        (("pyparsing", "3.0.9"),),
    ),
    Regression(
        "tomli",
        "1.2.3",
        "2.0.0",
        "import io, tomli\nassert tomli.load(io.StringIO('a = 1')) == {'a': 1}\n",
        ".read().decode()",
    ),
    Regression(
        "xmltodict",
        "0.12.0",
        "0.13.0",
        "import xmltodict\nxmltodict.parse('<a><b/><c/></a>')['a'].move_to_end('b')\n",
        "dict_constructor=_dict",
    ),
    Regression(
        "webcolors",
        "1.13",
        "24.6.0",
        "import webcolors\nassert webcolors.CSS3_NAMES_TO_HEX['red'] == '#ff0000'\n",
        "-    CSS3_NAMES_TO_HEX,",
    ),
    Regression(
        "click",
        "8.1.8",
        "8.2.0",
        "import click\nfrom click.testing import CliRunner\n"
        "@click.command()\ndef f():\n    click.echo('x', err=True)\n"
        "assert CliRunner(mix_stderr=False).invoke(f).stderr == 'x\\n'\n",
        "-        mix_stderr: bool = True,",
    ),
    Regression(
        "jinja2",
        "3.0.3",
        "3.1.0",
        "from jinja2 import contextfilter\n",
        "-from .filters import contextfilter",
        (("markupsafe", "2.1.5"),),
    ),
    Regression(
        "markupsafe",
        "2.0.1",
        "2.1.0",
        "from markupsafe._speedups import soft_unicode\n",
        "soft_unicode",
        extension="src/markupsafe/_speedups",
    ),
    Regression(
        "simplejson",
        "3.18.4",
        "3.19.1",
        "from simplejson import _speedups, loads\n"
        "assert str(loads('[NaN]')[0]) == 'nan', 'not a number'\n",
        "NaN",
        extension="simplejson/_speedups",
    ),
)


def main() -> int:
    """Find what is to blame for each."""
    wanted = sys.argv[1:]
    print("| package | versions | lines changed | blamed | tests | not run | seconds | found |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    missed = 0
    for each in REGRESSIONS:
        if wanted and each.package not in wanted:
            continue
        folders = [str(unpacked(each.package, version)[1]) for version in (each.good, each.bad)]
        paths = ["src", "."]
        for package, version in each.needs:
            folder = unpacked(package, version)[1]
            paths += [str(folder / "src"), str(folder)]
        with tempfile.TemporaryDirectory() as scratch:
            test = Path(scratch) / "test.py"
            test.write_text(each.test)
            result = find_changes(
                folders[0],
                folders[1],
                test=f"PYTHONPATH={':'.join(paths)} {sys.executable} {test}",
                build=each.build,
                journals=scratch,
            )
        lines = [line for blamed in result.blamed for line in blamed.lines]
        found = any(each.culprit in line for line in lines) and result.certified
        missed += not found
        print(
            f"| {each.package} | {each.good} to {each.bad} | {result.lines.changed:,} | "
            f"{result.blamed_lines} | {result.tests} | {result.predicted} | {result.seconds:.0f} | "
            f"{'yes' if found else 'NO'} |",
            flush=True,
        )
    return missed


if __name__ == "__main__":
    sys.exit(main())

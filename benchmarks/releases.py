"""Neighbouring releases from PyPI: ``python -m benchmarks.releases [tuned|aside|NAME...]``.

Twenty pairs of pure Python, each with a small difference in behaviour, chosen before the search was
tuned; those of ``aside`` (every second one) were looked at once, in the end.  The good release with
the answer's patch has to fail exactly as the bad one does: the same exit status, the same output,
the same frames of functions; only numbers of lines and the sources that frames quote may differ.
Where a feature was added, the newer release is the good one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from stripe.changes import find_changes
from tests.real.sdists import unpacked


@dataclass(frozen=True)
class Pair:
    """Two releases, and an expression whose value the good one has."""

    package: str
    good: str
    bad: str
    imports: str
    expression: str
    value: str

    @property
    def test(self) -> str:
        """A script that fails with the bad release."""
        return (
            f"{self.imports}\n\nvalue = ascii({self.expression})\nassert value == "
            f"{self.value!r}, value\n"
        )


PAIRS = (
    Pair(
        "Unidecode",
        "1.2.0",
        "1.1.2",
        "from unidecode import unidecode",
        "unidecode('\\ue000', 'replace', '!')",
        "'!'",
    ),
    Pair(
        "attrs",
        "21.4.0",
        "22.1.0",
        "import attr\n\n\n@attr.s\nclass C:\n    x = attr.ib(default=1)\n\n\ndef text():\n"
        "    try:\n        attr.validators.in_([1])(None, attr.fields(C).x, 2)\n"
        "    except ValueError as error:\n        return str(error)\n\n",
        "text()[:40]",
        "\"'x' must be in [1] (got 2)\"",
    ),
    Pair(
        "cachetools",
        "4.2.4",
        "5.0.0",
        "import cachetools\n\ncache = cachetools.Cache(2)\ncache['a'] = 1",
        "repr(cache)",
        "\"Cache([('a', 1)], maxsize=2, currsize=1)\"",
    ),
    Pair(
        "humanize",
        "3.14.0",
        "4.0.0",
        "import humanize",
        "humanize.VERSION",
        "'3.14.0'",
    ),
    Pair(
        "itsdangerous",
        "2.0.0",
        "1.1.0",
        "import itsdangerous",
        "itsdangerous.Signer(['a', 'b']).sign('a')",
        "b'a.b1codAsf1NU4fd4Nulwc9x222L4'",
    ),
    Pair(
        "markdown",
        "3.3.7",
        "3.4",
        "import importlib.util\nimport markdown",
        "markdown.markdown('a|b\\n:-|-:\\n1|2', extensions=['tables'])[21:44]",
        "'<th align=\"left\">a</th>'",
    ),
    Pair(
        "marshmallow",
        "3.18.0",
        "3.17.1",
        "import marshmallow",
        "marshmallow.fields.Enum.__name__",
        "'Enum'",
    ),
    Pair(
        "mistune",
        "2.0.5",
        "3.0.0",
        "import mistune",
        "mistune.html('<b>')",
        "'<b>\\n'",
    ),
    Pair(
        "more-itertools",
        "10.3.0",
        "10.2.0",
        "import more_itertools",
        "list(more_itertools.powerset_of_sets([1, 1]))",
        "[set(), {1}]",
    ),
    Pair(
        "parse",
        "1.20.0",
        "1.19.1",
        "import parse",
        "str(parse.parse('{:%Y-%m-%d}', '2024-01-02')[0])",
        "'2024-01-02'",
    ),
    Pair(
        "pathspec",
        "0.9.0",
        "0.10.0",
        "import pathspec",
        "pathspec.PathSpec.from_lines('gitwildmatch', ['a/*']).match_file('a/b/c')",
        "False",
    ),
    Pair(
        "pyparsing",
        "3.1.0",
        "3.0.9",
        "import pyparsing",
        "pyparsing.Literal('').name",
        "'Empty'",
    ),
    Pair(
        "python-dotenv",
        "0.20.0",
        "0.21.0",
        "import io\nimport dotenv",
        "dotenv.load_dotenv(stream=io.StringIO(''))",
        "True",
    ),
    Pair(
        "schema",
        "0.7.5",
        "0.7.4",
        "import schema",
        "schema.Schema({schema.Optional('a', default=lambda **k: k): dict}).validate({}, b=1)",
        "{'a': {'b': 1}}",
    ),
    Pair(
        "semver",
        "2.13.0",
        "3.0.0",
        "import semver",
        "semver.VersionInfo.isvalid('1.2.3')",
        "True",
    ),
    Pair(
        "sqlparse",
        "0.4.4",
        "0.5.0",
        "import sqlparse",
        "[str(each) for each in sqlparse.parse('a over (partition by b)')[0].tokens]",
        "['a', ' ', 'over', ' ', '(partition by b)']",
    ),
    Pair(
        "tabulate",
        "0.8.10",
        "0.9.0",
        "from tabulate import tabulate",
        "tabulate([], headers='firstrow')[:10]",
        "'f    i    '",
    ),
    Pair(
        "textdistance",
        "4.2.0",
        "4.3.0",
        "import textdistance",
        "round(textdistance.jaro_winkler('abc', 'abd'), 4)",
        "0.7778",
    ),
    Pair(
        "tomlkit",
        "0.11.8",
        "0.12.0",
        "import tomlkit",
        "tomlkit.dumps({'a': {'b': 1}, 'c': 2})",
        "'c = 2\\n\\n[a]\\nb = 1\\n'",
    ),
    Pair(
        "wcwidth",
        "0.2.8",
        "0.2.9",
        "import wcwidth",
        "wcwidth.wcwidth('\\u00ad')",
        "1",
    ),
)


def main() -> int:
    """Find what is to blame for each; how many of the answers do not fail as the bad release."""
    wanted = sys.argv[1:]
    print("| package | good to bad | changed | blamed | tests | not run | s | 1-minimal | as bad |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for number, pair in enumerate(PAIRS):
        half = "aside" if number % 2 else "tuned"
        if not wanted or half in wanted or pair.package in wanted:
            wrong += not _row(pair)
    return wrong


def _row(pair: Pair) -> bool:
    good, bad = (unpacked(pair.package, version)[1] for version in (pair.good, pair.bad))
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "test.py"
        script.write_text(pair.test)
        result = find_changes(
            str(good),
            str(bad),
            test=f"PYTHONPATH=src:. {sys.executable} -W ignore {script}",
            journals=scratch,
            max_time=300,
        )
        mixed = Path(scratch) / "mixed"
        subprocess.run(["cp", "-r", str(good), str(mixed)], check=True)
        same = fails_alike(script, result.patch, mixed, bad)
    print(
        f"| {pair.package} | {pair.good} to {pair.bad} | {result.lines:,} | {result.blamed_lines} "
        f"| {result.tests} | {result.predicted} | {result.seconds:.0f} "
        f"| {'yes' if result.certified else 'no'} | {'yes' if same else 'NO'} |",
        flush=True,
    )
    for each in result.blamed:
        print(f"  {each.path} {', '.join(each.functions)}", file=sys.stderr)
        for sign, text in each.lines[:12]:
            print(f"    {sign}{text}", file=sys.stderr)
    return same


def fails_alike(script: Path, patch: bytes, good: Path, bad: Path, paths: str = "src:.") -> bool:
    """Whether a good version fails as the bad one does, once it has the patch."""
    words = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(words, input=patch, cwd=good, check=True)
    return run_test(script, good, paths) == run_test(script, bad, paths)


def run_test(script: Path, folder: Path, paths: str) -> tuple[int, str]:
    """How a test ends with a version, and what it prints, but for lines and quoted sources."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        env={"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    text = (ran.stdout + ran.stderr).replace(f"{folder}/", "")
    return ran.returncode, re.sub(r"^    .*\n", "", re.sub(r"line \d+", "_", text), flags=re.M)


if __name__ == "__main__":
    sys.exit(main())

# ruff: noqa: E501
"""python -m tests.real.find JAIL [PACKAGE...]: seed faults that tests of real projects find.

One expression of a project's source is changed at random until one of its own tests fails by it;
the first failing test is the program to explain.  What was found is kept in ``faults.json``.
Tests of strangers run inside ``JAIL FOLDER COMMAND...``.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real.catalog import installed
from tests.real.failing import FAULTS
from tests.real.sdists import unpacked

PROJECTS = {
    # package: (where its code is, what of it may be wrong, its tests)
    "tabulate": ("", "tabulate/__init__.py", "test/test_output.py test/test_regression.py"),
    "toolz": ("", "toolz/itertoolz.py toolz/dicttoolz.py", "toolz/tests/test_itertoolz.py toolz/tests/test_dicttoolz.py"),
    "sqlparse": ("", "sqlparse/filters/reindent.py sqlparse/engine/grouping.py", "tests/test_format.py tests/test_grouping.py"),
    "xmltodict": ("", "xmltodict.py", "tests"),
    "mccabe": ("", "mccabe.py", "test_mccabe.py"),
    "humanize": ("src", "src/humanize/number.py src/humanize/filesize.py src/humanize/time.py", "tests/test_number.py tests/test_filesize.py"),
    "texttable": ("", "texttable.py", "tests.py"),
    "jsonpointer": ("", "jsonpointer.py", "tests.py"),
    "jsonpatch": ("", "jsonpatch.py", "tests.py"),
    "voluptuous": ("", "voluptuous/schema_builder.py voluptuous/validators.py", "voluptuous/tests/tests.py"),
    "schema": ("", "schema/__init__.py", "test_schema.py"),
    "simpleeval": ("", "simpleeval/__init__.py simpleeval.py", "tests"),
    "roman": ("src", "src/roman.py", "src/tests.py"),
    "isodate": ("src", "src/isodate/duration.py src/isodate/isodates.py src/isodate/isotime.py", "tests"),
    "semver": ("src", "src/semver/version.py", "tests"),
    "boltons": ("", "boltons/iterutils.py boltons/strutils.py", "tests/test_iterutils.py tests/test_strutils.py"),
    "funcy": ("", "funcy/seqs.py funcy/colls.py", "tests/test_seqs.py tests/test_colls.py"),
    "pyrsistent": ("", "pyrsistent/_pvector.py pyrsistent/_pmap.py", "tests/vector_test.py tests/map_test.py"),
    "intervaltree": ("", "intervaltree/intervaltree.py intervaltree/node.py", "test/intervaltree_test.py test/interval_methods"),
    "tinydb": ("", "tinydb/table.py tinydb/queries.py", "tests/test_queries.py tests/test_tinydb.py"),
    "base58": ("", "base58/__init__.py", "test_base58.py"),
    "anytree": ("src", "src/anytree/render.py src/anytree/node/nodemixin.py src/anytree/resolver.py", "tests/test_render.py tests/test_node.py"),
    "prettytable": ("src", "src/prettytable/prettytable.py", "tests/test_prettytable.py tests/test_sorting.py"),
    "jmespath": ("", "jmespath/lexer.py jmespath/parser.py jmespath/visitor.py", "tests/test_parser.py tests/test_lexer.py tests/test_search.py"),
    "inflect": ("", "inflect/__init__.py", "tests/test_classical_names.py tests/test_join.py tests/test_numwords.py"),
    "more-itertools": ("", "more_itertools/more.py", "tests/test_more.py"),
    "python-slugify": ("", "slugify/slugify.py", "test.py tests"),
    "tomlkit": ("", "tomlkit/items.py tomlkit/container.py", "tests/test_items.py tests/test_api.py"),
    "cachetools": ("src", "src/cachetools/__init__.py", "tests/test_lru.py tests/test_ttl.py tests/test_lfu.py"),
    "pyflakes": ("", "pyflakes/checker.py", "pyflakes/test/test_imports.py pyflakes/test/test_other.py"),
    "num2words": ("", "num2words/base.py num2words/lang_EN.py num2words/utils.py", "tests/test_en.py tests/test_base.py"),
    "mistune": ("src", "src/mistune/list_parser.py src/mistune/block_parser.py src/mistune/inline_parser.py", "tests/test_misc.py tests/test_plugins.py"),
    "markdown": ("", "markdown/blockprocessors.py markdown/inlinepatterns.py markdown/util.py", "tests/test_apis.py tests/test_syntax/blocks"),
    "parso": ("", "parso/python/tokenize.py parso/python/prefix.py parso/utils.py", "test/test_tokenize.py test/test_prefix.py test/test_utils.py"),
    "wcwidth": ("", "wcwidth/textwrap.py wcwidth/align.py wcwidth/_wcswidth.py", "tests/test_textwrap.py tests/test_justify.py tests/test_core.py"),
}  # fmt: skip
UNITTEST = {"more-itertools", "cachetools", "jmespath", "num2words", "markdown", "roman"}
"""Projects whose failing tests are run by ``python -m unittest``."""
OTHER: dict[Any, Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.And: ast.Or,
    ast.Or: ast.And,
}  # fmt: skip
TRIES = 60


def changes(text: str) -> Iterator[tuple[int, str, str]]:
    """Single expressions that may be changed: the line's number, the line, what becomes of it."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
            continue
        if isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp)):
            what = node.ops[0] if isinstance(node, ast.Compare) else node.op
            other = OTHER.get(type(what))
            if other is None or isinstance(getattr(node, "left", None), ast.Constant):
                continue
            if isinstance(node, ast.Compare):
                node.ops[0] = other()
            else:
                node.op = other()
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
        else:
            continue
        line = lines[node.lineno - 1].encode()
        new = ast.unparse(node)
        if isinstance(node, (ast.BoolOp, ast.BinOp, ast.Compare)):
            new = f"({new})"
        changed = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]
        yield node.lineno, line.decode(), changed.decode()


def find(jail: str, name: str, wanted: int, chance: random.Random) -> Iterator[dict[str, object]]:
    root, code, tests = PROJECTS[name]
    version, folder = unpacked(name)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary) / "work"
        shutil.copytree(folder, work)
        there = [each for each in tests.split() if (work / each).exists()]
        plain = run(jail, work, root, there)
        if plain is None or plain[0]:
            print(f"{name}: its tests do not pass: {plain}")
            return
        candidates = [
            (file, *change)
            for file in code.split()
            if (work / file).exists()
            for change in changes((work / file).read_text())
        ]
        chance.shuffle(candidates)
        tried = set()
        for file, number, old, new in candidates[:TRIES]:
            if wanted == 0:
                return
            if (file, number // 20) in tried:
                continue
            text = (work / file).read_text()
            lines = text.splitlines()
            lines[number - 1] = new
            (work / file).write_text("\n".join(lines) + "\n")
            done = run(jail, work, root, there)
            (work / file).write_text(text)
            if done is None or not done[0]:
                continue
            tried.add((file, number // 20))
            wanted -= 1
            yield {
                "package": name, "version": version, "root": root, "file": file, "line": number,
                "old": old, "new": new, "test": done[0],
                **({"runner": "unittest"} if name in UNITTEST else {}),
            }  # fmt: skip


def run(jail: str, work: Path, root: str, tests: list[str]) -> tuple[str, str] | None:
    """The first test that fails (else ""), and the end of what pytest said; None: too long."""
    (work / ".tmp").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(work / root), str(work), str(installed())]),
        "TMPDIR": str(work / ".tmp"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=no",
        "-rf",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-p", "no:stripe", "-p", "no:randomly", "--rootdir", str(work), "-o", "addopts="]
    try:
        done = subprocess.run(
            [jail, str(work), *command, *tests],
            env=environment, capture_output=True, text=True, timeout=40, cwd=work,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 1):
        return ("", done.stdout[-600:] + done.stderr[-300:]) if done.returncode != 1 else None
    failed = re.search(r"^FAILED (\S+::[^\n]*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return (failed[1] if failed else ""), done.stdout[-300:]


def main() -> None:
    jail, *names = sys.argv[1:]
    chance = random.Random(12)
    found = json.loads(FAULTS.read_text()) if FAULTS.exists() else []
    for name in names or PROJECTS:
        if any(each["package"] == name for each in found):
            continue
        for fault in find(jail, name, 2, chance):
            print(fault, flush=True)
            found.append(fault)
            FAULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Figures of the house itself: sizes, goals, worst functions, names used twice.

    python benchmarks/house.py [FOLDER]

``FOLDER`` is a checkout, by default this one; docs/history/house.md compares two.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOMS = ("stripe", "backends", "plugins", "tests", "benchmarks")
PRODUCT = ROOMS[:3]
NOT_OURS = ("tests/corpus", "tests/harm/python", "tests/states/faults", "benchmarks/data")
"""Programs to be run, not parts of the house."""

LATER = {
    "why": ("stripe/why", "stripe/cli/why.py", "stripe/results/why.py", "stripe/report/why.py",
            "stripe/report/html/why.py", "stripe/lsp/why.py", "stripe/lsp/why_hover.py",
            "tests/why", "tests/e2e/test_why.py", "tests/lsp/test_why.py",
            "tests/notebook/test_why.py", "tests/benchmarks/test_why.py",
            "tests/stripe_pytest/test_short_answers.py", "tests/support/answers.py"),
    "debugger": ("stripe/debug", "stripe/cli/debug.py", "backends/stripe_pytrace/timetravel.py",
                 "backends/stripe_pytrace/agent/timetravel", "tests/debug"),
    "Perl": ("backends/stripe_perl", "tests/stripe_perl"),
    "assistants": ("stripe/mcp", "stripe/cli/mcp.py", "stripe/changes/tried_patch.py",
                   "tests/mcp", "tests/changes/test_tried_patch.py"),
    "system calls answered by us": (
        "stripe/sandbox/inside/supervisor.py", "stripe/sandbox/inside/own_folders.py",
        "stripe/sandbox/inside/loopback.py", "stripe/sandbox/inside/metadata.py",
        "stripe/sandbox/inside/answers.py", "tests/sandbox/test_supervisor.py",
        "tests/sandbox/test_own_folders.py", "tests/sandbox/test_loopback.py"),
}  # fmt: skip
"""Features that came after the goals for lines were set, and where they and their tests are."""

TRACE = ("trace", "sample.py", "--input", "0\n5\n", "--check", "stdout", "--show", "summary")
INPUT = ("input", "readings.txt", "--check", "stdout:/^warmest/", "--output", "-",
         "--", sys.executable, "read_file.py")  # fmt: skip


def modules(*folders: Path) -> Iterator[Path]:
    """The Python files below folders, without programs to be run."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if not any(each in path.as_posix() for each in NOT_OURS):
                yield path


def sizes(root: Path) -> Iterator[str]:
    """Files and lines, by room, and those of stripe by folder."""
    folders = [root / room for room in ROOMS]
    folders += [each for each in sorted((root / "stripe").iterdir()) if each.is_dir()]
    folders += [each for each in sorted((root / "backends").iterdir()) if each.is_dir()]
    for folder in folders:
        lines = [len(path.read_bytes().splitlines()) for path in modules(folder)]
        if lines:
            name = folder.relative_to(root).as_posix()
            yield f"{name:<28}{len(lines):>5} files {sum(lines):>7} lines {max(lines):>5} longest"


def branchy(root: Path, above: int) -> list[tuple[int, str]]:
    """Functions of the product by cyclomatic complexity, as ruff counts it (C901), worst first."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901",
               "--config", f"lint.mccabe.max-complexity={above}", "--output-format", "json",
               *(str(root / room) for room in PRODUCT)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = []
    for each in json.loads(done.stdout):
        name, count = re.findall(r"`(.*?)`.*\((\d+) >", each["message"])[0]
        found.append((int(count), f"{Path(each['filename']).relative_to(root)}:{name}"))
    return sorted(found, reverse=True)


def long_functions(root: Path, above: int) -> list[tuple[int, str]]:
    """Functions of the product with more lines than that, docstrings aside; longest first."""

    def lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        first = node.body[0]
        told = first.end_lineno or 0 if ast.get_docstring(node) else 0
        return (node.end_lineno or 0) - node.lineno + 1 - max(0, told - first.lineno + 1)

    return sorted(
        (
            (lines(node), f"{path.relative_to(root)}:{node.name}")
            for path in modules(*(root / room for room in PRODUCT))
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines(node) > above
        ),
        reverse=True,
    )


def imports(root: Path) -> tuple[dict[str, set[str]], Counter[bool]]:
    """Which module imports which at run time; how many of these imports stand in functions.

    Those are counted by whether their line says ``# lazy``: many commands do without the module,
    so that they start sooner.
    """
    files = {}
    for room in (root / "stripe", *sorted((root / "backends").iterdir())):
        for path in modules(room):
            dotted = ".".join(path.relative_to(room.parent).with_suffix("").parts)
            files[dotted.removesuffix(".__init__")] = path
    graph: dict[str, set[str]] = {name: set() for name in files}
    inside: Counter[bool] = Counter()
    for name, path in files.items():
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        text = path.read_text()
        lines = text.splitlines()
        for node, function in runtime_imports(ast.parse(text)):
            for asked in imported(node, package):
                target = asked if asked in files else asked.rpartition(".")[0]
                if target in files and target != name:
                    graph[name].add(target)
                    if function:
                        inside[lines[node.lineno - 1].endswith("# lazy")] += 1
    return graph, inside


def runtime_imports(
    tree: ast.AST, function: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Its imports but those for types only, and whether they stand in a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, function
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            inner = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from runtime_imports(node, function or inner)


def imported(node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    """The names of what may be modules."""
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    base = node.module or ""
    if node.level:
        parts = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*parts, *filter(None, [node.module])])
    return [f"{base}.{each.name}" for each in node.names]


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Modules that import each other, in whatever way round (strongly connected components)."""

    def reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
        found, to_do = {start}, [start]
        while to_do:
            new = edges[to_do.pop()] - found
            found |= new
            to_do += new
        return found

    back: dict[str, set[str]] = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets:
            back[target].add(name)
    left, found = set(graph), []
    while left:
        start = next(iter(left))
        component = reached(start, graph) & reached(start, back)
        left -= component
        if len(component) > 1:
            found.append(component)
    return found


def lines(root: Path, *places: str) -> int:
    """Those of folders and modules."""
    paths = [root / each for each in places]
    files = [*(each for each in paths if each.is_file()), *modules(*paths)]
    return sum(len(path.read_bytes().splitlines()) for path in files)


def later_lines(root: Path, feature: str, *, tests: bool = False) -> int:
    """Those of a later feature, or of its tests."""
    return lines(root, *(each for each in LATER[feature] if each.startswith("tests/") is tests))


def goals(root: Path) -> Iterator[tuple[str, int, int]]:
    """What is counted, how often it is there, and how often it may be."""
    sys.path[:0] = [str(root), str(root / "backends"), str(root / "plugins")]
    from stripe import trace

    product = list(modules(*(root / room for room in PRODUCT)))
    agent = root / "backends/stripe_pytrace/agent"
    graph, inside = imports(root)
    later = sum(later_lines(root, feature) for feature in LATER)
    tested = sum(later_lines(root, feature, tests=True) for feature in LATER)
    yield "lines of stripe and backends, without later", lines(root, *PRODUCT[:2]) - later, 74_000
    yield "lines of tests, without later", lines(root, "tests") - tested, 55_000
    yield "files at the top of the agent", len(list(agent.glob("*.py"))), 12
    yield "functions above complexity 20 (ruff's C901)", len(branchy(root, 20)), 0
    yield "functions above 80 lines", len(long_functions(root, 80)), 0
    yield "parameters of stripe.trace", len(inspect.signature(trace).parameters), 12
    yield "modules that end in -ing", sum(path.stem.endswith("ing") for path in product), 19
    yield "import cycles", len(cycles(graph)), 0
    yield "imports in functions, with no reason", inside[False], 0


def namesakes(root: Path) -> Counter[str]:
    """Names that several classes have, with or without an underscore."""
    names = Counter(
        node.name.lstrip("_")
        for path in modules(*(root / room for room in ROOMS[:3]))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef)
    )
    return Counter({name: count for name, count in names.items() if count > 1})


def travels(root: Path, words: Sequence[str]) -> int:
    """In how many files of ours functions run between two tests of a command: the median."""
    from stripe.cli.main import main
    from stripe.report.progress import Reporter

    top, monitoring = str(root), sys.monitoring
    seen: set[str] = set()
    counts: list[int] = []
    told = Reporter.__call__

    def entered(code: Any, _: int) -> object:
        if code.co_filename.startswith((f"{top}/stripe/", f"{top}/backends/")):
            seen.add(code.co_filename)
        return monitoring.DISABLE

    def tested(reporter: Reporter, progress: Any) -> None:
        told(reporter, progress)
        counts.append(len(seen))
        seen.clear()
        monitoring.restart_events()

    monitoring.use_tool_id(monitoring.PROFILER_ID, "house")
    monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.PY_START, entered)
    monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.PY_START)
    Reporter.__call__ = tested  # type: ignore[assignment,method-assign]
    here = Path.cwd()
    os.chdir(root / "examples/sample_programs")
    try:
        with tempfile.TemporaryFile("w+") as nowhere, contextlib.redirect_stdout(nowhere):
            main(list(words))
    finally:
        os.chdir(here)
        Reporter.__call__ = told  # type: ignore[method-assign]
        monitoring.free_tool_id(monitoring.PROFILER_ID)
    return int(statistics.median(counts[1:]))


def main() -> None:
    """Print all figures."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    print(*sizes(root), sep="\n")
    print(f"\n{'goals':<48}{'now':>8}{'most':>8}")
    for what, now, most in goals(root):
        print(f"{what:<48}{now:>8,}{most:>8,}  {'' if now <= most else 'missed'}")
    print("\nlater features, in lines, and those of their tests")
    for feature in LATER:
        print(
            f"{later_lines(root, feature):>5}{later_lines(root, feature, tests=True):>6}  {feature}"
        )
    for title, found in (("complexity", branchy(root, 20)), ("lines", long_functions(root, 80))):
        print(f"\nfunctions by {title}")
        for count, place in found[:10]:
            print(f"{count:>5}  {place}")
    print(f"\nimports in functions, for a quick start (# lazy): {imports(root)[1][True]}")
    names = namesakes(root)
    print(f"\nclass names used more than once: {len(names)}, by {names.total()} classes")
    print(", ".join(f"{name} {count}" for name, count in names.most_common(12)))
    with contextlib.redirect_stderr(io.StringIO()):
        entered = travels(root, TRACE), travels(root, INPUT)
    print("\nfiles entered by one test: stripe trace {}, stripe input {}".format(*entered))


if __name__ == "__main__":
    main()

"""Figures of the house itself: sizes, worst functions, names used twice, what one test enters.

    python benchmarks/house.py [FOLDER]

``FOLDER`` is a checkout, by default this one; docs/history/house.md compares two.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOMS = ("stripe", "backends", "plugins", "tests", "benchmarks")
NOT_OURS = ("tests/corpus", "tests/harm/python")
"""Programs to be run, not parts of the house."""

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


def paths_through(function: ast.AST) -> int:
    """Cyclomatic complexity, as radon counts it: one, and one for each way to part."""
    count = 1
    for node in ast.walk(function):
        match node:
            case ast.If() | ast.IfExp() | ast.ExceptHandler() | ast.Assert() | ast.match_case():
                count += 1
            case ast.For() | ast.AsyncFor() | ast.While():
                count += 1 + bool(node.orelse)
            case ast.comprehension():
                count += 1 + len(node.ifs)
            case ast.BoolOp():
                count += len(node.values) - 1
            case ast.Lambda():
                count += 1
    return count


def worst(root: Path) -> list[tuple[int, str]]:
    """Functions by their complexity, worst first."""
    found = []
    for path in modules(*(root / room for room in ROOMS[:3])):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                place = f"{path.relative_to(root)}:{node.name}"
                found.append((paths_through(node), place))
    return sorted(found, reverse=True)


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
    sys.path[:0] = [str(root), str(root / "backends"), str(root / "plugins")]
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
    print("\nworst functions")
    for complexity, place in worst(root)[:10]:
        print(f"{complexity:>5}  {place}")
    found = namesakes(root)
    print(f"\nclass names used more than once: {len(found)}, by {found.total()} classes")
    print(", ".join(f"{name} {count}" for name, count in found.most_common(12)))
    with contextlib.redirect_stderr(io.StringIO()):
        entered = travels(root, TRACE), travels(root, INPUT)
    print("\nfiles entered by one test: stripe trace {}, stripe input {}".format(*entered))


if __name__ == "__main__":
    main()

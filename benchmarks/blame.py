"""Which changes are to blame: ours, ``git bisect run``, and the Debugging Book's ChangeDebugger.

All get the same history and the same test, whose status says whether a version passes (0), fails
as the bad one does (1), or tells nothing (125).  The book's is used as its chapter does, with its
own patches; it works on one text, so the files of a version are put behind each other.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks import changes
from benchmarks.measure import Row, Sizes
from benchmarks.real.sdists import unpacked
from benchmarks.reducers import ROOT
from benchmarks.regressions import REGRESSIONS
from stripe.changes import find_changes
from stripe.changes.snapshots import Snapshot
from tests.harm import jail
from tests.support.caching import cache_folder

SECONDS = 120.0
"""How long the book's may take; what it has by then is no answer."""

BOOK = (
    ("--no-deps", "debuggingbook==1.3.2"),
    ("diff_match_patch", "graphviz", "ipython", "nbformat", "markdown"),
)
"""What to install for the chapter; the whole book wants far more, and a pyparsing of 2020."""

RELEASED = {
    "tomli": ("1.1.0", "1.2.0", "1.2.1", "1.2.2", "1.2.3", "2.0.0", "2.0.1"),
    "xmltodict": ("0.10.2", "0.11.0", "0.12.0", "0.13.0", "0.14.2"),
    "jinja2": ("3.0.0", "3.0.1", "3.0.2", "3.0.3", "3.1.0", "3.1.1", "3.1.2"),
}
"""The regressions' packages, with versions before and after: each is a commit."""

_TEST = """\
said=$({command} 2>&1 >/dev/null)
status=$?
[ $status = 0 ] && exit 0
printf '%s\\n' "$said" >&2
case "$said" in *{failure}*) exit 1;; esac
exit 125
"""

_COMPILER = """
import pathlib, re, sys
call, function, culprit = sys.argv[1:]
text = "".join(path.read_text() for path in sorted(pathlib.Path().rglob("*.c")))
count = lambda arguments: len(arguments.split(",")) if arguments.strip() else 0
defined = {name: count(each) for name, each in re.findall(function, text, re.MULTILINE)}
for name, each in sorted(re.findall(call, text)):
    if name not in defined:
        sys.exit(f"error: '{name}' undeclared")
    if defined[name] != count(each):
        sys.exit(f"error: too few arguments to function '{name}'")
if culprit in text:
    sys.exit("it fails")
"""

_BOOK = """
import json, os, pathlib, shutil, subprocess, sys
from debuggingbook import ChangeDebugger as chapter
good, bad, place, answer, *words = sys.argv[1:]
MARK = "\\f=== "

def read(folder):
    top = pathlib.Path(folder)
    files = sorted(path for path in top.rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{MARK}{path.relative_to(top)}\\n{text}" for path in files
                   if "\\0" not in (text := path.read_bytes().decode("latin-1")))

def write(text, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for part in text.split(MARK)[1:]:
        path, _, content = part.partition("\\n")
        if os.path.isabs(path) or ".." in path.split("/"):
            raise RuntimeError("no version")
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("latin-1"))

def test():
    status = subprocess.run(words, cwd=place, capture_output=True).returncode
    if status == 1:
        raise AssertionError("it fails")
    if status:
        raise RuntimeError("it tells nothing")

class Files(chapter.ChangeDebugger):
    def __enter__(self):
        write(self.fail_source(), place)
        return chapter.CallCollector.__enter__(self)

    def test_patches(self, patches):
        write(chapter.patch(self.pass_source(), patches), place)
        self.call()

with Files(read(good), read(bad)) as debugger:
    test()
for name, patches in zip(("passes", "fails"), debugger.min_patches()):
    write(chapter.patch(debugger.pass_source(), patches), os.path.join(answer, name))
print(json.dumps(len(debugger.patches())))
"""


@dataclass(frozen=True)
class History:
    """Versions as commits, and the test."""

    name: str
    folder: Path
    commits: int
    words: tuple[str, ...]

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def jailed(self) -> list[str]:
        """The test, counted, in a jail: what it runs was never run before."""
        count = shlex.quote(str(self.folder / "count"))
        words = shlex.join([sys.executable, jail.__file__, *self.words])
        return ["sh", "-c", f"printf x >>{count}; exec {words}"]

    def counted(self) -> int:
        """How many tests there were since it was asked last."""
        count = self.folder / "count"
        tests = count.stat().st_size if count.exists() else 0
        count.unlink(missing_ok=True)
        return tests


@dataclass(frozen=True)
class Answer:
    """What a tool took, and the lines, removed and added, of its answer; None: it has none."""

    tests: int
    seconds: float
    lines: int | None


def git(folder: Path, *words: str, check: bool = True) -> str:
    """Run git there, whatever the user's settings are."""
    who = ("-c", "user.name=b", "-c", "user.email=b@b")
    return subprocess.run(
        ["git", *who, "-c", "core.autocrlf=false", "-C", str(folder), *words],
        env=os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        errors="replace",
        check=check,
    ).stdout


def lines_between(one: Path, other: Path) -> int:
    """How many lines differ between two folders, removed and added ones."""
    told = git(one.parent, "diff", "--no-index", "--numstat", str(one), str(other), check=False)
    return _lines(told)


def _lines(numstat: str) -> int:
    counts = [line.split("\t")[:2] for line in numstat.splitlines()]
    return sum(int(each) for pair in counts for each in pair if each.isdigit())


# --- histories


def committed(folder: Path, versions: Sequence[Callable[[Path], None]]) -> None:
    """A repository with a commit for each version."""
    repository = folder / "repository"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    for number, write in enumerate(versions):
        git(repository, "rm", "-rq", "--ignore-unmatch", ".")
        write(repository)
        git(repository, "add", "-A", "-f")
        git(repository, "commit", "-q", "--allow-empty", "-m", f"version {number}")
    git(repository, "tag", "good", f"HEAD~{len(versions) - 1}")
    for name in ("good", "main"):
        git(repository, "worktree", "add", "-q", "--detach", str(folder / name), name)


def copied(tree: Path) -> Callable[[Path], None]:
    """What copies a folder into another one."""

    def copy(target: Path) -> None:
        subprocess.run(["cp", "-r", f"{tree}/.", str(target)], check=True)

    return copy


def released(folder: Path, name: str) -> History:
    """A package of which a newer version fails."""
    regression = next(each for each in REGRESSIONS if each.package == name)
    trees = [unpacked(name, version)[1] for version in RELEASED[name]]
    committed(folder, [copied(tree) for tree in trees])
    paths = ["src", "."]
    for package, version in regression.needs:
        needed = unpacked(package, version)[1]
        paths += [str(needed / "src"), str(needed)]
    program = folder / "test.py"
    program.write_text(regression.test)
    variables = f"PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={':'.join(paths)}"
    command = f"{variables} {sys.executable} {program}"
    return _history(folder, name, len(trees) - 1, command)


def invented(folder: Path, commits: int, hunks: int) -> History:
    """A history that was made up, and its compiler as a command."""
    history, compiler = changes.ddd(0, commits, hunks)

    def written(snapshot: Snapshot) -> Callable[[Path], None]:
        def write(target: Path) -> None:
            for path in snapshot.entries:
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (target / path).write_bytes(snapshot.content(path))

        return write

    committed(
        folder, [written(each) for each in (history.root, *(s.snapshot for s in history.steps))]
    )
    program = folder / "compile.py"
    program.write_text(_COMPILER)
    patterns = (changes.CALL.pattern, changes.FUNCTION.pattern, *compiler.culprits)
    words = [sys.executable, str(program), *(each.decode() for each in patterns)]
    command = shlex.join(words)
    return _history(folder, f"{commits} commits, made up", commits, command)


def _history(folder: Path, name: str, commits: int, command: str) -> History:
    """The test as a script: the failure is what the bad version says at last."""
    words = [sys.executable, jail.__file__, "sh", "-c", command]
    said = subprocess.run(words, cwd=folder / "main", capture_output=True, text=True).stderr
    failure = said.strip().splitlines()[-1].partition(" (/")[0]  # without the path of a file
    script = folder / "test.sh"
    script.write_text(_TEST.format(command=command, failure=shlex.quote(failure)))
    return History(name, folder, commits, ("sh", str(script)))


# --- tools


def ours(history: History) -> Answer:
    began = time.monotonic()
    found = find_changes(
        "good",
        "main",
        test=shlex.join(history.words),
        repo=history.repository,
        journals=history.folder,
    )
    seconds = time.monotonic() - began
    signs = [line[:1] for line in found.patch.splitlines() if line[:4] not in (b"+++ ", b"--- ")]
    return Answer(found.tests, seconds, sum(sign in (b"+", b"-") for sign in signs))


def bisect(history: History) -> Answer:
    place = history.folder / "bisected"
    git(history.folder, "clone", "-q", str(history.repository), str(place))
    git(place, "bisect", "start", "main", "good")
    began = time.monotonic()
    git(place, "bisect", "run", *history.jailed(), check=False)
    seconds = time.monotonic() - began
    changed = git(place, "diff", "--numstat", "refs/bisect/bad~1", "refs/bisect/bad")
    return Answer(history.counted(), seconds, _lines(changed))


@cache
def book_python() -> Path | None:
    """The interpreter with the book, in an environment of its own, which is made if need be."""
    python = ROOT / ".venv" / "book" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parent.parent)], check=True)
        for packages in BOOK:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages])
    chapter = [str(python), "-c", "import debuggingbook.ChangeDebugger"]
    return None if subprocess.run(chapter, stdout=subprocess.DEVNULL).returncode else python


def book(history: History) -> Answer | None:
    """ChangeDebugger's answer; None where it cannot be installed."""
    python = book_python()
    if python is None:
        return None
    folder = history.folder
    for name in ("good", "main"):
        (folder / name / ".git").unlink()
    (folder / "place").mkdir()
    words = [str(python), "-c", _BOOK, str(folder / "good"), str(folder / "main")]
    words += [str(folder / "place"), str(folder / "book"), *history.jailed()]
    began = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
    seconds = time.monotonic() - began
    if child.returncode:
        return Answer(history.counted(), seconds, None)
    found = lines_between(folder / "book" / "passes", folder / "book" / "fails")
    return Answer(history.counted(), seconds, found)


TOOLS: dict[str, Callable[[History], Answer | None]] = {
    "stripe changes": ours,
    "git bisect run": bisect,
    "ChangeDebugger": book,
}


def histories(folder: Path, sizes: Sizes) -> Iterator[History]:
    """The histories, each made when it is asked for."""
    for commits, hunks in ((10, 10), (20, 30)):
        yield invented(_new(folder), commits, hunks)
    for name in RELEASED if not sizes.quick else ():
        yield released(_new(folder), name)


def _new(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))


def run(sizes: Sizes) -> list[Row]:
    """The benchmark; what the tools took is printed, their ratios are its rows."""
    rows = []
    if why := jail.unavailable():
        raise SystemExit(f"no jail to test in: {why}")
    print("\n| history | commits | tool | tests | seconds | lines of the answer |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(dir=cache_folder("blame")) as scratch:
        for history in histories(Path(scratch), sizes):
            found: dict[str, Answer] = {}
            for tool, use in TOOLS.items():
                answer = use(history)
                if answer is None:
                    continue
                found[tool] = answer
                lines = "none" if answer.lines is None else f"{answer.lines:,}"
                print(
                    f"| {history.name} | {history.commits} | {tool} | {answer.tests} | "
                    f"{answer.seconds:.1f} | {lines} |",
                    flush=True,
                )
            rows += list(_ratios(history.name, found))
    return rows


def _ratios(name: str, found: dict[str, Answer]) -> Iterator[Row]:
    mine, *others = found.items()
    for tool, theirs in others:
        figures = {
            "tests": (theirs.tests, mine[1].tests),
            "time": (theirs.seconds, mine[1].seconds),
        }
        if theirs.lines is not None and mine[1].lines:
            figures["lines"] = (theirs.lines, mine[1].lines)
        for what, (one, other) in figures.items():
            ratio = one / other
            yield Row("blame", f"{name}: {what}, {tool} / ours", ratio, ratio, ratio, "x")

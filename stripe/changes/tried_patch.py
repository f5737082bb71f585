"""A patch tried on the tests of pytest: what each did without it, and with it.

The patched project stands, in the sandbox, where the user has it, so that also what is installed
from there is the patched one.  The user's own files are only read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from stripe.changes.git import without_settings
from stripe.changes.places import VersionPlace
from stripe.changes.reduction import ENVIRONMENTS
from stripe.changes.snapshots import LINK, Snapshot, Tree
from stripe.changes.versions import files_below
from stripe.deadline import Deadline
from stripe.errors import NotReducible, UsageError
from stripe.running.command import OUTPUT
from stripe.running.pool import Pool
from stripe.sandbox.commands import Limits, limits_explained
from stripe.sandbox.scratch import Scratch
from stripe.sandbox.walls import Layer

MOST_BYTES = 256 << 20
"""Bytes of a project that is held in memory."""

SHARE_BEFORE = 0.45
"""Of all the time, so much may go into the tests without the patch."""

MOST_SAID = 2_000
"""Characters of the end of what pytest printed that are told."""

WORST = ("passed", "skipped", "failed", "error")
"""How a test ended; of two reports of one test the later of these counts."""

SCRIPT = """\
"$python" -m pytest -o junit_family=xunit1 --junitxml="$TMPDIR/outcomes.xml" "$@"
status=$?
printf '\\n%s\\n' "$mark"
cat "$TMPDIR/outcomes.xml"
exit $status
"""


@dataclass(frozen=True)
class Outcome:
    """How a test ended (one of :data:`WORST`), and the first line of why."""

    ended: str
    why: str = ""


@dataclass(frozen=True)
class Tested:
    """What a run of the tests came to.

    ``outcomes``: by pytest's names of the tests; ``None``: it came to no end.  ``said``: the end of
    what it printed.
    """

    outcomes: dict[str, Outcome] | None
    said: str


@dataclass(frozen=True)
class TriedPatch:
    """The tests without a patch, and with it; ``files``: those that it changes."""

    files: tuple[str, ...]
    before: Tested
    after: Tested


def try_patch(
    project: Path, patch: str, interpreter: str, tests: Sequence[str], deadline: Deadline
) -> TriedPatch:
    """Run tests of a project without and with a patch.

    Args:
        project: its folder, absolute; paths of the patch are meant from there.
        patch: a unified diff, as ``git apply`` takes it; counts of lines may be wrong.
        interpreter: the Python that has pytest.
        tests: pytest's names; none: those that the project's settings name.
        deadline: the time for both runs.

    Raises:
        UsageError: ``no-git``; ``bad-patch``; ``directory-too-large``, ``unreadable``;
            ``no-sandbox``.
        NotReducible: ``no-tests``: without the patch they come to no end; ``needs-namespaces``.
    """
    environments = _environments(project)
    _require_small(project, environments)
    snapshot = files_below(project, environments)
    before = {path: (each.mode, snapshot.content(path)) for path, each in snapshot.entries.items()}
    after = _patched(before, patch)
    files = sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    if not files:
        raise _bad_patch("it changes nothing")

    def make(scratch: Path, number: int, layer: Layer) -> VersionPlace:
        return VersionPlace(scratch, number, layer, str(project), environments)

    with closing(Pool(make, "A patch is run that nobody has ever run before")) as pool:
        run = _tests(pool, project, interpreter, tests)
        deadline.start_phase("running the tests without the patch")
        without = run(before, deadline.limit(SHARE_BEFORE * deadline.left))
        if not without.outcomes:
            raise NotReducible(
                "no-tests",
                f"Without the patch the tests come to no end, or there are none. The end of what "
                f"pytest says:\n{without.said}",
                "Is pytest installed in the project's environment? Name fewer tests, or give more "
                "time.",
            )
        deadline.start_phase("running the tests with the patch")
        return TriedPatch(tuple(files), without, run(after, deadline.limit(deadline.left)))


def _environments(project: Path) -> tuple[str, ...]:
    """Folders at the top that are shown to runs as they are."""
    return tuple(
        sorted(
            each.name
            for each in project.iterdir()
            if each.is_dir()
            and not each.is_symlink()
            and (each.name in ENVIRONMENTS or (each / "pyvenv.cfg").exists())
        )
    )


def _require_small(project: Path, without: Sequence[str]) -> None:
    size = 0
    for folder, below, names in os.walk(project):
        if folder == str(project):
            below[:] = [each for each in below if each not in (*without, ".git")]
        size += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)
        if size > MOST_BYTES:
            raise UsageError(
                "directory-too-large",
                f"{str(project)!r} holds more than {MOST_BYTES >> 20} MiB.",
                "Start the server for the folder of one package: stripe mcp --project DIR",
            )


# --- the patch


def _patched(tree: Tree, patch: str) -> Tree:
    """The tree with the patch."""
    git = shutil.which("git")
    if git is None:
        raise UsageError(
            "no-git", "git is not installed, which applies patches.", "Install it, and ask again."
        )
    with limits_explained(), closing(Scratch()) as scratch:
        top = scratch.path / "tree"
        top.mkdir()
        for path, (mode, content) in tree.items():
            _write(top / path, mode, content)
        done = subprocess.run(
            [git, "apply", "--recount", "--whitespace=nowarn", "-"],
            input=patch.rstrip("\n").encode("utf-8", "surrogateescape") + b"\n",
            env=without_settings() | {"GIT_CEILING_DIRECTORIES": str(scratch.path)},
            cwd=top,
            capture_output=True,
        )
        if done.returncode:
            raise _bad_patch(done.stderr.decode("utf-8", "replace").strip()[:MOST_SAID])
        found: Snapshot = files_below(top)
        return {path: (each.mode, found.content(path)) for path, each in found.entries.items()}


def _write(path: Path, mode: int, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode == LINK:
        path.symlink_to(os.fsdecode(content))
    else:
        path.write_bytes(content)
        path.chmod(mode & 0o777)


def _bad_patch(why: str) -> UsageError:
    return UsageError(
        "bad-patch",
        f"The patch cannot be applied: {why}.",
        "Give a unified diff with paths from the project's folder (a/src/x.py, b/src/x.py), "
        "and with the lines as they are in the files now.",
    )


# --- the tests


def _tests(
    pool: Pool[VersionPlace], project: Path, interpreter: str, tests: Sequence[str]
) -> Callable[[Tree, float], Tested]:
    def run(tree: Tree, seconds: float) -> Tested:
        mark = uuid.uuid4().hex
        words = ["/bin/sh", "-c", f"mark={mark}; python=$1; shift; {SCRIPT}", "sh", interpreter]
        with pool.place() as place:
            if place.inside != project:
                raise NotReducible(
                    "needs-namespaces",
                    f"The patched project cannot be shown at its own place, {str(project)!r}: what "
                    f"is installed from there would be the one without the patch.",
                    "stripe doctor says which sandbox there is, and what to do for namespaces.",
                )
            with limits_explained():
                place.put(tree)
            ending, out, err = place.run([*words, *tests], Limits(seconds, 0, OUTPUT, most=seconds))
        said, _, report = out.decode("utf-8", "replace").rpartition(f"\n{mark}\n")
        if ending.status is None:
            return Tested(None, f"It took longer than {seconds:.1f} seconds.")
        end = (said + err.decode("utf-8", "replace")).strip()[-MOST_SAID:]
        try:
            return Tested(dict(_outcomes(report)), end)
        except ElementTree.ParseError:  # it was killed, or there is no pytest
            return Tested(None, end)

    return run


def _outcomes(report: str) -> Iterator[tuple[str, Outcome]]:
    """How each test ended, from a report in the form of JUnit."""
    found: dict[str, Outcome] = {}
    for case in ElementTree.fromstring(report).iter("testcase"):
        name = _name(case)
        ended, why = "passed", ""
        for each in case:
            kind = "failed" if each.tag == "failure" else each.tag
            if kind in WORST and WORST.index(kind) >= WORST.index(ended):
                ended, why = kind, (each.get("message") or "").partition("\n")[0][:300]
        if name not in found or WORST.index(ended) > WORST.index(found[name].ended):
            found[name] = Outcome(ended, why)
    yield from found.items()


def _name(case: ElementTree.Element) -> str:
    """Pytest's name of a test: its file, its classes, its own name."""
    file, name = case.get("file") or "", case.get("name") or ""
    module = file.removesuffix(".py").replace("/", ".")
    classes = (case.get("classname") or "").removeprefix(module).strip(".")
    return "::".join(each for each in (file, *classes.split("."), name) if each)

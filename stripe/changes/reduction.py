"""Which changes between two versions cause a failure: the whole search, and its answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from stripe.campaign.campaign import Campaign
from stripe.campaign.journals import open_journal
from stripe.campaign.outcome_store import OutcomeStore
from stripe.campaign.progress import Progress
from stripe.campaign.provenance import Basis, environment
from stripe.changes.change_search import ChangeSearch
from stripe.changes.conclusion import conclude, next_cause
from stripe.changes.granularity import AUTO, Group, levels_of
from stripe.changes.narrative import narrated
from stripe.changes.patches import patch_between
from stripe.changes.preconditions import ensure_a_question
from stripe.changes.remote import Package, Remote
from stripe.changes.snapshots import Tree, digest_of
from stripe.changes.trial import Task, Trial
from stripe.changes.universe import Universe
from stripe.changes.versions import history_of
from stripe.checks.command import files_named
from stripe.checks.crash import Signature
from stripe.dd import ALGORITHMS, Budget, Outcome, Reason
from stripe.deadline import Deadline
from stripe.errors import UsageError
from stripe.interrupts import stop_on_interrupt
from stripe.results.changes import ChangesResult
from stripe.results.model import changed
from stripe.running.command import check_of
from stripe.sandbox.reads import Stamps, digest

if TYPE_CHECKING:
    from concurrent.futures import Executor

ENVIRONMENTS = (".venv", "venv", "env", "node_modules", ".tox", ".nox", "target", "vendor")
"""Folders that tests may read although they are a part of no version."""


def find_changes(
    good: str,
    bad: str,
    *,
    test: str,
    build: str | None = None,
    check: str | Sequence[str] = (),
    repo: str | os.PathLike[str] | None = None,
    granularity: str = AUTO,
    bisect_first: bool = False,
    and_then: bool = False,
    algorithm: str = AUTO,
    context: int = 0,
    timeout: float | None = None,
    repeat: int = 1,
    unsafe: bool = False,
    max_tests: int | None = None,
    max_time: float | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    journals: str | os.PathLike[str] | None = None,
    resume: bool = False,
    outputs: Sequence[str | os.PathLike[str]] = (),
    improved: Callable[[Callable[[], bytes]], None] = lambda patch: None,
    progress: Callable[[Progress], None] | None = None,
) -> ChangesResult:
    """Find the changes between two versions that make a test fail.

    Neither the repository nor the directories are written in::

        result = stripe.changes.find_changes("v1.0", "HEAD", test="make check")
        print(result.patch.decode())

    Args:
        good: the version that passes: a revision, a directory, or ``.`` for the working tree.
        bad: the one that fails.
        test: a command for a shell, run at the top of a version. Exit status 0: it passes; 125: it
            cannot tell; others: it fails, if in the way the bad version does.
        build: a command for a shell that comes first. Where it fails, nothing is told. What it
            makes stays for the next version.
        check: what a failing version has in common with the bad one, in the form of ``--check``.
        repo: a directory in the repository, if not the current one.
        granularity: the levels to go through, with commas between them; ``auto``: all.
        bisect_first: find the first commit after which it fails, and look in that one alone.
        and_then: look for the next cause, too, among all changes that can do without the answer.
        algorithm: the name of the search within a level.
        context: lines around a change that belong to its hunk.
        timeout: seconds that a build or a test may take; by default ten times what the first took.
        repeat: runs of a test whose majority decides, for failures that come and go.
        unsafe: go on where there is no sandbox: tests can then change whatever the caller can.
        max_tests, max_time: end with the best answer so far after so many tests, or seconds.
        jobs: tests at a time.
        executor: where tests run, if not here, such as that of a Dask client. Workers are sent the
            versions; the other files that tests read have to be there under the same paths.
        journals: the folder to note outcomes in; by default that of the command line.
        resume: go on with the same search, which was killed or ended early.
        outputs: files that the caller will write: they are no part of the working tree.
        improved: called with what makes the patch of every better answer: that takes time, so
            when it is wanted, and in which thread, is the caller's choice.
        progress: called after each test.

    Returns:
        The answer, whether it is certified, and what it took.

    Raises:
        UsageError: the request cannot be understood, or names something that does not exist.
        NotReducible: ``good-fails``, ``does-not-fail``, ``does-not-build``, ``program-hangs``,
            ``flaky``, ``worker-differs``.
    """
    levels = levels_of(granularity)
    _require_algorithm(algorithm)
    judge = check_of(check, unsafe=unsafe)
    deadline = Deadline(max_time)
    with ExitStack() as stack:
        with deadline.cutting():
            history = history_of(stack, good, bad, repo, outputs)
            universe = Universe(history, context)
            good_tree, bad_tree = universe.tree(()), universe.tree(universe.deltas)
        task = Task(
            test,
            build,
            judge,
            directory=history.directory,
            shown=_shown(universe),
            timeout=timeout,
            repeat=repeat,
            unsafe=unsafe,
        )
        trial = stack.enter_context(Trial(task, deadline))
        deadline.tell("testing both versions")
        basis = _basis(task, good_tree, bad_tree)
        subject = _subject(good, bad, task)
        journal = stack.enter_context(open_journal(journals, subject, basis, resume=resume))
        campaign = Campaign("changes", store=OutcomeStore(journal), jobs=jobs, progress=progress)

        def found(edits: Group) -> None:
            improved(partial(_patch, universe, search.base, search.base + edits))

        with deadline.cutting():
            failure = ensure_a_question(trial, history, good_tree, bad_tree)
        # What follows the search takes about as long as what came before.
        campaign.budget = Budget(max_tests, deadline.left).share(keep=deadline.elapsed)
        package = Package(task, good_tree, bad_tree, failure)
        tests = trial if executor is None else Remote(executor, trial, package)
        search = ChangeSearch(
            universe,
            tests.verdict,
            campaign,
            algorithm=algorithm,
            found=found,
            cancel=tests.cancel,
            reads=trial.paths_read,
        )
        search.learn_ends()
        campaign.stop = stack.enter_context(stop_on_interrupt())
        untried = search.run(levels, bisect_first=bisect_first)
        notes = [*(() if journal is None else journal.notes), *tests.notes]
        result = conclude(search, trial, failure, levels[-1], notes, untried)
        if and_then and result.stopped is Reason.FINISHED:
            result = _followed(search, trial, failure, levels, result)
        if journal is not None and set(result.ends) == {Reason.FINISHED}:
            journal.finish()
        return result


def _followed(
    search: ChangeSearch,
    trial: Trial,
    failure: Signature,
    levels: Sequence[str],
    result: ChangesResult,
) -> ChangesResult:
    """A result with the next cause, or with a note that says why there is none."""
    first = search.campaign
    if result.rest.outcome is not Outcome.FAIL:
        why = {
            Outcome.PASS: "the test passes",
            Outcome.UNRESOLVED: "the test is unresolved",
            None: "that was not tested",
        }[result.rest.outcome]
        note = f"No next cause was looked for: with all other changes, {why}."
        return changed(result, notes=(*result.notes, note))
    campaign = Campaign(
        first.name,
        budget=first.budget,
        store=first.store,
        stop=first.stop,
        jobs=first.jobs,
        progress=first.progress,
    )
    after = search.among_others(campaign)
    untried = after.run(levels, bisect_first=False)
    found = conclude(after, trial, failure, levels[-1], (), untried)
    both = changed(
        result, next=next_cause(found, result.notes), seconds=result.seconds + found.seconds
    )
    return narrated(both)


def _require_algorithm(name: str) -> None:
    if name != AUTO and name not in ALGORITHMS:
        raise UsageError(
            "unknown-algorithm",
            f"There is no search {name!r}.",
            f"There are auto, {', '.join(ALGORITHMS)}.",
        )


def _subject(good: str, bad: str, task: Task) -> str:
    """What the journal of such a search is called."""
    asked = (good, bad, task.test, task.build, task.check and task.check.spec, task.repeat)
    return f"changes-{digest(repr(asked).encode())}"


def _patch(universe: Universe, before: Group, after: Group) -> bytes:
    """What leads from one version to another."""
    return patch_between(universe.tree(before), universe.tree(after))


def _basis(task: Task, good: Tree, bad: Tree) -> Basis:
    """What outcomes rest on: both versions, and the files outside of them that commands name."""
    versions = {"the good version": digest_of(good), "the bad version": digest_of(bad)}
    named = [*files_named(task.test), *files_named(task.build or "")]
    named += () if task.check is None else task.check.files
    stamps = Stamps(Path("/"), None)
    reads = {path: stamps.stamp(path) for path in named if os.path.isabs(path)}
    return Basis(versions | environment(), reads, stamp=stamps.stamp)


def _shown(universe: Universe) -> tuple[str, ...]:
    """Environments beside the sources; what a version has itself is not hidden by them."""
    ours = {path.partition("/")[0] for path in universe.paths()}
    return tuple(name for name in ENVIRONMENTS if name not in ours)

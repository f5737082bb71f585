"""What a search for changes comes to: the answer is tested once more, and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stripe.changes.change_search import ChangeSearch
from stripe.changes.explanation import blamed_of, files_of, lines_in, parts_of
from stripe.changes.granularity import Group
from stripe.changes.narrative import narrated
from stripe.changes.patches import patch_between
from stripe.changes.preconditions import describe
from stripe.changes.trial import Trial
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.intervals import ends
from stripe.results.changes import (
    Blamed,
    ChangesResult,
    Edits,
    Failure,
    Level,
    Lines,
    NextCause,
    Test,
    Tested,
    Tests,
)
from stripe.results.formats import CHANGES
from stripe.results.model import Patch, changed


def conclude(
    search: ChangeSearch,
    trial: Trial,
    failure: Signature,
    granularity: str,
    notes: Sequence[str],
    untried: str = "",
) -> ChangesResult:
    """The result of a search that has ended, in whatever way; ``untried``: why it shows nothing."""
    universe, campaign = search.universe, search.campaign
    base = universe.tree(search.base)
    answer = universe.tree(search.base + search.current)
    # Who runs the tests may be the trial itself.
    notes = list(dict.fromkeys([*universe.history.notes, *notes, *trial.notes]))
    if search.base:
        last = universe.history.steps[universe.edits[search.base[-1]].step]
        notes.append(
            f"The patch is one for {last.name} ({last.subject}), the last commit before it fails."
        )
    predicted, resumed = len(search.predicted), campaign.store.resumed
    verdict = campaign.attempt(lambda: trial.afresh(answer))
    verified = None if verdict is None else verdict.outcome is Outcome.FAIL
    if verified is False and verdict is not None:
        notes.append(
            f"In a place in which nothing else was built the answer did not fail: "
            f"{describe(verdict)}."
        )
    now = failure if verdict is None or verdict.failure is None else verdict.failure
    if now != failure:
        notes.append(
            f"The answer fails in another way than the bad version does ({now}; it was: {failure})."
        )
    notes += _limits(search)
    parts = parts_of(universe, search.current)
    places = {edit: place for place, edit in enumerate(universe.deltas)}
    found = ChangesResult(
        format="stripe-changes-result",
        version=CHANGES.version,
        good=universe.history.good,
        bad=universe.history.bad,
        steps=len(universe.history.steps),
        test=trial.task.test,
        build=trial.task.build,
        granularity=granularity,
        algorithm=search.algorithm,
        changes=len({universe.edits[each].hunk for each in universe.deltas}),
        lines=Lines(lines_in(universe, universe.deltas), lines_in(universe, search.current)),
        blamed=tuple(_blamed(search, parts)),
        patch=Patch(patch_between(base, answer)),
        files=tuple(files_of(universe, search.base, parts)),
        counts=Tests.counted(campaign.counts, campaign.cached, resumed, predicted=predicted),
        undecided=dict(campaign.unresolved.counts),
        certified=campaign.certified and verified is True and not untried,
        untried=untried,
        stopped=campaign.reason,
        verified=verified,
        seconds=campaign.seconds,
        failure=Failure(str(failure), str(now)),
        levels=tuple(map(Level.copy_of, search.levels)),
        edits=Edits(len(universe.deltas), ends(sorted(places[each] for each in search.current))),
        log=tuple(map(Test.copy_of, search.log.entries)),
        rest=_rest(search, trial),
        narrative=(),
        notes=tuple(notes),
    )
    return narrated(found)


def next_cause(result: ChangesResult, known: Sequence[str]) -> NextCause:
    """What is told of a cause that was found after another one, which had the notes ``known``."""
    return NextCause.copy_of(
        result, output=(), notes=tuple(note for note in result.notes if note not in known)
    )


def _limits(search: ChangeSearch) -> Iterator[str]:
    """What keeps the answer from being smaller, as far as it is no test that passed."""
    unclear, tests = search.campaign.counts.get(Outcome.UNRESOLVED, 0), search.campaign.tests
    if 2 * unclear > tests:
        yield (
            f"{unclear} of {tests} tests could not tell: changes may be in the answer only because "
            "nothing could be built or run without them."
        )
    if search.mixed:
        yield (
            f"{len(search.mixed)} versions were not tested, as they would have had statements that "
            "no version has: there the answer stays at whole statements or hunks."
        )
    if search.plausibility.unread:
        paths = ", ".join(sorted(search.plausibility.unread)[:3])
        yield (
            f"Lines were left out where statements are not read ({paths}): that what stays is a "
            "program somebody could have written was not seen to. --granularity hunk ends before."
        )


def _blamed(search: ChangeSearch, parts: Sequence[Group]) -> Iterator[Blamed]:
    """The parts of the answer, with what tests have shown of each."""
    for part in parts:
        gone = set(part)
        others = tuple(edit for edit in search.current if edit not in gone)
        found = blamed_of(search.universe, part)
        yield changed(found, alone=_tested(search, part), without=_tested(search, others))


def _tested(search: ChangeSearch, edits: Group) -> Tested:
    """What is known of some edits, without a further test."""
    store, key = search.campaign.store, search.key(edits)
    outcome = store.get(key) or store.resume(key)
    if outcome is not None:
        return Tested(outcome)
    predicted = search.predict(edits)
    return Tested(predicted, predicted=predicted is not None)


def _rest(search: ChangeSearch, trial: Trial) -> Tested:
    """What comes of all other changes together: one test more, if the search came to its end."""
    rest = search.others()
    known = _tested(search, rest)
    if known.outcome is not None or search.campaign.over:
        return known
    tree = search.universe.tree(search.base + rest)
    verdict = search.campaign.attempt(lambda: trial.verdict(tree))
    return Tested(None if verdict is None else verdict.outcome)

"""What a search for changes comes to: the answer is tested once more, and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stripe.changes.change_search import ChangeSearch
from stripe.changes.explanation import blamed_of, files_of, lines_in, others_than, parts_of
from stripe.changes.levels import Group
from stripe.changes.patches import patch_between
from stripe.changes.preconditions import told
from stripe.changes.result import Blamed, ChangesResult, Tested
from stripe.changes.trial import Trial
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.intervals import ends


def conclude(
    hunt: ChangeSearch,
    trial: Trial,
    failure: Signature,
    granularity: str,
    notes: Sequence[str],
    untried: str = "",
) -> ChangesResult:
    """The result of a search that has ended, in whatever way; ``untried``: why it shows nothing."""
    universe, campaign = hunt.universe, hunt.campaign
    base = universe.tree(hunt.base)
    answer = universe.tree(hunt.base + hunt.current)
    # Who runs the tests may be the trial itself.
    notes = list(dict.fromkeys([*universe.history.notes, *notes, *trial.notes]))
    if hunt.base:
        last = universe.history.steps[universe.edits[hunt.base[-1]].step]
        notes.append(
            f"The patch is one for {last.name} ({last.subject}), the last commit before it fails."
        )
    predicted, resumed = len(hunt.predicted), campaign.store.resumed
    verdict = campaign.attempt(lambda: trial.afresh(answer))
    verified = None if verdict is None else verdict.outcome is Outcome.FAIL
    if verified is False and verdict is not None:
        notes.append(
            f"In a place in which nothing else was built the answer did not fail: {told(verdict)}."
        )
    now = failure if verdict is None or verdict.failure is None else verdict.failure
    if now != failure:
        notes.append(
            f"The answer fails in another way than the bad version does ({now}; it was: {failure})."
        )
    notes += _limits(hunt)
    parts = parts_of(universe, hunt.current)
    places = {edit: place for place, edit in enumerate(universe.deltas)}
    return ChangesResult(
        good=universe.history.good,
        bad=universe.history.bad,
        steps=len(universe.history.steps),
        test=trial.task.test,
        build=trial.task.build,
        granularity=granularity,
        algorithm=hunt.algorithm,
        changes=len({universe.edits[each].hunk for each in universe.deltas}),
        lines=lines_in(universe, universe.deltas),
        blamed_lines=lines_in(universe, hunt.current),
        blamed=tuple(_blamed(hunt, parts)),
        patch=patch_between(base, answer),
        files=tuple(files_of(universe, hunt.base, parts)),
        outcomes=dict(campaign.counts),
        predicted=predicted,
        cached=campaign.cached,
        resumed=resumed,
        undecided=campaign.undecided.counts,
        certified=campaign.certified and verified is True and not untried,
        untried=untried,
        stopped=campaign.reason,
        verified=verified,
        seconds=campaign.seconds,
        failure=str(failure),
        failure_now=str(now),
        levels=tuple(hunt.levels),
        of=len(universe.deltas),
        edits=ends(sorted(places[each] for each in hunt.current)),
        log=tuple(hunt.log.entries),
        rest=_rest(hunt, trial),
        notes=tuple(notes),
    )


def _limits(hunt: ChangeSearch) -> Iterator[str]:
    """What keeps the answer from being smaller, as far as it is no test that passed."""
    unclear, tests = hunt.campaign.counts.get(Outcome.UNRESOLVED, 0), hunt.campaign.tests
    if 2 * unclear > tests:
        yield (
            f"{unclear} of {tests} tests could not tell: changes may be in the answer only because "
            "nothing could be built or run without them."
        )
    if hunt.mixed:
        yield (
            f"{len(hunt.mixed)} versions were not tested, as they would have had statements that "
            "no version has: there the answer stays at whole statements or hunks."
        )
    if hunt.plausibility.unread:
        paths = ", ".join(sorted(hunt.plausibility.unread)[:3])
        yield (
            f"Lines were left out where statements are not read ({paths}): that what stays is a "
            "program somebody could have written was not seen to. --granularity hunk ends before."
        )


def _blamed(hunt: ChangeSearch, parts: Sequence[Group]) -> Iterator[Blamed]:
    """The parts of the answer, with what tests have shown of each."""
    for part in parts:
        gone = set(part)
        others = tuple(edit for edit in hunt.current if edit not in gone)
        found = blamed_of(hunt.universe, part)
        yield replace(found, alone=_tested(hunt, part), without=_tested(hunt, others))


def _tested(hunt: ChangeSearch, edits: Group) -> Tested:
    """What is known of some edits, without a further test."""
    store, key = hunt.campaign.store, hunt.key(edits)
    outcome = store.get(key) or store.resume(key)
    if outcome is not None:
        return Tested(outcome)
    predicted = hunt.predict(edits)
    return Tested(predicted, predicted=predicted is not None)


def _rest(hunt: ChangeSearch, trial: Trial) -> Tested:
    """What comes of all other changes together: one test more, if the search came to its end."""
    there = set(hunt.base)
    others = others_than(hunt.universe, hunt.current)
    rest = tuple(edit for edit in others if edit not in there)
    known = _tested(hunt, rest)
    if known.outcome is not None or hunt.campaign.over:
        return known
    tree = hunt.universe.tree(hunt.base + rest)
    verdict = hunt.campaign.attempt(lambda: trial.look(tree))
    return Tested(None if verdict is None else verdict.outcome)

"""The experiments that can explain a failure, each by the search that another verb offers alone.

An experiment adds evidence, and says in a sentence what came of it.  A limit, a refusal, or an
error of ours is said as that: it tells nothing of the program.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stripe.api import trace
from stripe.backend import Interpreting, choose_backend
from stripe.checks import parse_check
from stripe.checks.part import STDERR, STDOUT
from stripe.dd import Budget, Reason
from stripe.deadline import Deadline, OutOfTime
from stripe.errors import NotReducible, StripeError
from stripe.failing_run import (
    HELPER,
    HELPER_FILES,
    environment,
    options_of,
    pytest_words,
    trace_run,
)
from stripe.interrupts import cut_off_search
from stripe.interventions import Intervening, Test, Verdict
from stripe.reduce import CriticalSlice, Result
from stripe.reduce.backward_walk import way_back
from stripe.reduce.result import Dependence
from stripe.reduce.slice_dependences import near_dependences
from stripe.report.style import cut
from stripe.results.suspects import Place as Repair
from stripe.results.why import Standing
from stripe.suspects.search import of_tests
from stripe.suspects.slices import FailingRun
from stripe.suspects.spectrum import spectrum
from stripe.trace.unrecorded_definitions import DECLARATIONS
from stripe.why.evidence import Evidence, Kind
from stripe.why.origin import origins, printed_texts
from stripe.why.packages import is_looked_into
from stripe.why.question import Question
from stripe.why.story import is_whole, own_path

if TYPE_CHECKING:
    from stripe.campaign.progress import Progress
    from stripe.inputs.result import InputResult
    from stripe.results.causes import Cause, CausesResult
    from stripe.results.changes import ChangesResult
    from stripe.results.suspects import SuspectsResult
    from stripe.states.causes import Input

COMMITS = 3
"""So many commits back it is tried whether the failure came with one of them."""


SHOWN_INPUT = 60
"""Bytes of a smaller input that are told."""


@dataclass
class Case:
    """What is known of a failure so far: the question, the evidence, and what experiments came to.

    - ``declarations``: lines that only declare something; ``tests``: files of tests
    - ``executed``: lines that ran before the failure, which a tester may go on from; ``None``: not
      known
    - ``neighbour``: an input like that of the failing run with which the program passes
    - ``whole``: the recorded run, of which nothing was left out; ``result``: its slice, or that
    - ``improved``: called where an experiment has found something before its end
    """

    question: Question
    neighbour: Input | None = None
    doing: Callable[[str], None] = lambda what: None
    progress: Callable[[Progress], None] | None = None
    improved: Callable[[], None] = lambda: None
    evidence: list[Evidence] = field(default_factory=list)
    declarations: set[tuple[str, int]] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    executed: set[tuple[str, int]] | None = None
    whole: Result | None = None
    result: Result | None = None
    suspects: SuspectsResult | None = None
    changes: ChangesResult | None = None
    input: InputResult | None = None
    stopped: bool = False
    texts: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def slice(self) -> CriticalSlice | None:
        """The critical slice, if there is one."""
        return self.result.slices[0] if self.result is not None else None

    def note_end(self, stopped: Reason) -> None:
        """Take note of how a search ended."""
        self.stopped = self.stopped or stopped is Reason.STOPPED


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of an experiment; see :class:`stripe.results.why.Experiment`."""

    standing: Standing
    says: str
    tests: int = 0
    complete: bool = False


def attempt(experiment: Callable[[Case, float], Finding], case: Case, seconds: float) -> Finding:
    """What an experiment comes to; a limit, a refusal, an error of ours is just that."""
    try:
        return experiment(case, seconds)
    except OutOfTime as error:
        return Finding("limit", f"its time was over before it had an answer ({error.slug})")
    except NotReducible as error:
        return Finding("refused", f"{error.message} [{error.slug}]".replace("\n", " "))
    except StripeError as error:
        return Finding("failed", f"{error.message} [{error.slug}]".replace("\n", " "))


# --- the critical slice


SEARCH_SHARE = 0.25
"""Of the time for leaving out of a test, so much is for the search, the usual need; all of it is
there for tests of which recording is slow."""

MOST_AT_ONCE = 2_000
"""Events of a slice that are explained in a moment, where somebody waits for the end."""


def find_slice(case: Case, seconds: float) -> Finding:
    """The critical slice of what the symptom shows."""
    question = case.question
    target = question.target

    def recorded(result: Result) -> None:  # of which the way back is told, though none was tried
        _note_whole(case, result)
        case.improved()

    options: dict[str, Any] = {
        **options_of(target),
        "memory": target.memory,
        "max_time": seconds,
        "search_time": None if question.test is None else SEARCH_SHARE * seconds,
        "watch": True,
        "values": "auto",  # a slice of which others took part explains another run
        "progress": case.progress,
        "doing": case.doing,
        "unreduced": recorded,
    }
    with cut_off_search():  # also while it records
        result = _traced(question, options)
    found = result.slices[0]
    case.note_end(found.stopped)
    if case.stopped and len(found.events) > MOST_AT_ONCE:
        return Finding("limit", "it was interrupted", found.tests)
    _note_slice(case, result)
    if is_whole(found) and found.untried and found.stopped is not Reason.MAX_TIME:
        return Finding("limit", f"leaving out could not be tried: {found.untried}", found.tests)
    if is_whole(found):
        return Finding("limit", "in its time nothing could be left out", found.tests)
    kept = f"{len(found.events):,} of {found.of:,} executed statements are enough"
    if found.certified:
        says = f"{kept}, and without any one it no longer shows"
        return Finding("found", says, found.tests, complete=True)
    return Finding("found", f"{kept}; whether fewer would do was not tried to the end", found.tests)


def _traced(question: Question, options: dict[str, Any]) -> Result:
    """The recorded run with its slice."""
    target = question.target
    if question.test is not None:
        return trace_run(FailingRun(target, question.test), **options)
    return trace(
        target.program,
        *target.arguments,
        module=target.module,
        stdin=target.stdin,
        directory=target.directory,
        engine=target.engine,
        check=question.check,
        **options,
    )


ANALYSING_SECONDS, ANALYSING_MOST = 1.0, 60.0
"""Seconds that finding the way back through a whole run may take, whatever time is left."""

ANALYSING_SHARE = 0.1
"""Of the time that is left, so much may be for that."""


def _note_whole(case: Case, result: Result) -> None:
    """Take note of a recorded run, and of the way back in it."""
    found = result.slices[0]
    needs: Sequence[Dependence] = ()
    deadline = case.question.target.deadline
    seconds = deadline.share(ANALYSING_SHARE, ANALYSING_SECONDS, ANALYSING_MOST)
    with suppress(OutOfTime), Deadline(seconds).cutting():
        needs = near_dependences(result.trace, found.symptom)
    whole = replace(found, dependences=needs)
    case.whole = case.result = replace(result, slices=(whole, *result.slices[1:]))
    _note_evidence(case, slice_evidence(case.whole, whole), origin_evidence(case.whole, whole))
    _note_lines(case, result)


def _note_slice(case: Case, result: Result) -> None:
    """Take note of a slice of the recorded run, beside what is known of that."""
    found = result.slices[0]
    if case.whole is None:
        _note_whole(case, _as_recorded(result))
    whole = case.whole
    if is_whole(found) or whole is None:
        return
    case.result = result
    seen = (result, found) if found.values else (whole, whole.slices[0])
    recorded = slice_evidence(whole, whole.slices[0])  # first, as it has the values of the run
    _note_evidence(case, recorded, slice_evidence(result, found), origin_evidence(*seen))


def _as_recorded(result: Result) -> Result:
    """The recorded run of a slice, without what is known of that."""
    found = result.slices[0]
    events = tuple(range(found.of))
    return replace(result, slices=(replace(found, events=events, certified=False, governing=()),))


def _note_evidence(case: Case, *found: Iterable[Evidence]) -> None:
    """Take what is known now of the recorded run in the place of what was known before.

    Of each line the strongest of a kind, as a line may be executed many thousand times.
    """
    best: dict[tuple[Kind, str, int], Evidence] = {}
    for each in chain.from_iterable(found):
        place = each.kind, each.file, each.line
        if place not in best or each.strength > best[place].strength:
            best[place] = each
    others = [each for each in case.evidence if each.experiment != "slice"]
    case.evidence = [*others, *best.values()]


def _note_lines(case: Case, result: Result) -> None:
    """Take note of which lines only declare something, and which ran before the failure."""
    paths = [own_path(each.path, case.question.target) for each in result.trace.files]
    statements = result.trace.statements
    places = [(paths[each.file], each.line) for each in statements]
    only = dict.fromkeys(places, True)  # ``def f(): return x`` is more than a declaration
    for place, each in zip(places, statements, strict=True):
        only[place] &= each.kind in DECLARATIONS
    case.declarations |= {place for place, declares in only.items() if declares}
    ran = (statements[number] for number in set(result.trace.statement))
    case.executed = {
        (paths[each.file], line) for each in ran for line in range(each.line, each.header_end + 1)
    }


MOST_FRAMES = 10
"""Frames of a traceback that are told of, from where the exception was raised."""

CALLS = 0.5
"""The strength of a call that an exception came through, against that of where it was raised."""

NEAR = 0.6
"""The least strength of a condition that decided."""

KEPT_STEPS, DEPENDS_STEPS = 4, 64
"""Steps from the symptom after which the strength is half: of a kept execution, and of one that an
analysis leads to. That the latter is near says little: what passes a value on is nearest."""

SHOWS = 0.5
"""The strength of what prints: what is asked about shows there, and is wrong before, mostly."""


def is_printed(found: CriticalSlice) -> bool:
    """Whether what is asked about was printed."""
    return any(each.location in (STDOUT, STDERR) for each in parse_check(found.check).places)


def slice_evidence(result: Result, found: CriticalSlice) -> Iterator[Evidence]:
    """What a slice says of lines: the nearer to the symptom along dependences, the stronger."""
    trace = result.trace
    reduced = not is_whole(found)
    printed = is_printed(found)
    kept = set(found.events)
    raised = result.recorded.exception if result.recorded else None
    for step in way_back(trace, found):
        statement = trace.statements[trace.statement[step.event]]
        place = (
            own_path(trace.files[statement.file].path, result.target),
            statement.line,
            statement.function,
        )
        if raised and step.event == raised.event and not step.distance and not printed:
            held = {} if found.others else found.values.get(step.event, {})
            says = raised_told(raised.type, statement.kind, held)
            yield Evidence(Kind.RAISED, "slice", *place, says)
        half = KEPT_STEPS if reduced else DEPENDS_STEPS
        nearness = 0.2 if step.distance is None else 1.0 / (1.0 + step.distance / half)
        if printed and not step.distance and step.distance is not None:
            nearness = SHOWS
        if not reduced:
            if step.distance is not None:
                says = depends_told(step.distance, printed=printed)
                yield Evidence(Kind.DEPENDS, "slice", *place, says, nearness)
        elif step.event not in kept:
            says = "its condition decided that what is needed ran"
            # It is as near as what it decided, which dependences do not tell.
            yield Evidence(Kind.DECIDES, "slice", *place, says, max(nearness, NEAR))
        elif found.certified:
            says = "left out alone, the run no longer shows it"
            yield Evidence(Kind.KEPT, "slice", *place, says, nearness)
        else:
            says = f"among {len(kept):,} of {found.of:,} executions that are enough for it"
            yield Evidence(Kind.KEPT, "slice", *place, says, nearness)


def origin_evidence(result: Result, found: CriticalSlice) -> Iterator[Evidence]:
    """Where what is printed, or what the assertion compared, was first seen."""
    trace = result.trace
    raised = result.recorded.exception if result.recorded else None
    if is_printed(found):
        texts, how = printed_texts(found), "is printed"
    else:
        operands = raised.operands if raised is not None else ()
        texts, how = [each for each in operands if each], "the assertion compared"
    among = "" if is_whole(found) else ", of all that it needs"
    for index, each in enumerate(origins(result, found, texts)):
        statement = trace.statements[trace.statement[each.event]]
        file = own_path(trace.files[statement.file].path, result.target)
        says = f"{cut(each.value, LONGEST_IN_A_SENTENCE)}, which {how}, was first seen here{among}"
        yield Evidence(
            Kind.COMPUTED, "slice", file, statement.line, statement.function, says, 1 / (1 + index)
        )


LONGEST_IN_A_SENTENCE = 40
"""Characters of a value that stands in a sentence."""


OF_NAMES = ("NameError", "UnboundLocalError")
"""Exceptions of a variable that holds nothing: what was computed before it has no part in it."""


def raised_told(raised: str, kind: str, values: Mapping[str, str]) -> str:
    """Where an exception was raised, and the last value that was computed before it was."""
    says = f"{raised} was raised here"
    if kind in ("Raise", "Assert") or raised in OF_NAMES or not values:
        return says  # what decided that is another statement, what was compared, or has no value
    name, value = list(values.items())[-1]
    return f"{says}, where {name} was {value}" if len(value) <= LONGEST_IN_A_SENTENCE else says


def depends_told(distance: int, *, printed: bool) -> str:
    """What an analysis of dependences says of a statement, so many of them away.

    ``printed``: from what printed the lines that are asked about, as far as the source tells.
    """
    if not distance:
        if printed:
            return "by the source, what is asked about was printed here"
        return "the last statement that was executed"
    steps = "1 step" if distance == 1 else f"{distance} steps"
    what = "what is printed" if printed else "what was executed last"
    return f"{what} depends on it, {steps} back"


# --- suspects


MOST_SUSPECTED = 25
"""Lines that are changed: of those of large files it takes longer to list all changes than to try
the first ones (click's `core.py`: 145,000)."""


def find_repairs(case: Case, seconds: float) -> Finding:
    """Small changes with which the failing test passes, and others still do."""
    question = case.question
    target, test = question.target, question.test
    case.doing("trying small changes of the lines that the failing test executes")
    if test is not None and question.trials is not None:
        from stripe.suspects.suspect_search import search_trials  # lazy

        result, _ = search_trials(
            question.trials, target, Budget(None, seconds), failing=[test.name],
            helpers=bool(question.given.include or target.only), most=MOST_SUSPECTED,
            progress=case.progress,
        )  # fmt: skip
    else:
        from stripe.suspects import find_suspects  # lazy

        result = find_suspects(
            target.program,
            target.arguments,
            module=target.module,
            expect=question.expect,
            directory=target.directory,
            stdin=target.stdin,
            max_time=seconds,
            progress=case.progress,
            **options_of(target),
        )
    case.suspects = result
    case.note_end(result.stopped)
    case.evidence += repair_evidence(result, expected=test is None)
    tried = f"{result.tried:,} of {result.offered:,} small changes were tried"
    passes = "it prints what is expected" if test is None else "the test passes"
    complete = result.stopped is Reason.FINISHED
    if not result.places:
        says = f"{tried}: {passes} with none of them"
        return Finding("nothing", says, result.runs, complete)
    count = len(result.places)
    places = "1 place" if count == 1 else f"{count} places"
    return Finding("found", f"{tried}: {passes} with changes at {places}", result.runs, complete)


def repair_evidence(result: SuspectsResult, *, expected: bool = False) -> Iterator[Evidence]:
    """What tried changes say of lines; ``expected``: see :func:`repair_told`."""
    for index, place in enumerate(result.places):
        whole = place.repaired == place.failing and not place.broken
        strength = 1.0 - 0.1 * index
        if whole and not place.passing:
            strength *= 0.6  # nothing has told a repair from what only ends the complaint
        elif place.broken and place.passing:
            strength *= place.kept / place.passing
        yield Evidence(
            Kind.REPAIRED if whole else Kind.PARTLY, "suspects", place.file, place.line,
            place.function, repair_told(place, expected=expected), strength, place.diff or "",
        )  # fmt: skip


def raised_evidence(question: Question) -> Iterator[Evidence]:
    """Where the traceback leaves what is looked into, and what it came through."""
    own = [each for each in question.frames if is_looked_into(each.file, question.target)]
    for distance, frame in enumerate(reversed(own[-MOST_FRAMES:])):
        says = f"{question.raised} was raised here"
        if distance:
            says = f"{question.raised} came through here"
        elif frame is not question.frames[-1]:
            says = f"what is called here raised {question.raised}"
        strength = CALLS ** min(distance, 1) / (1 + distance)
        yield Evidence(Kind.RAISED, "run", *frame, says, strength)


def coverage_evidence(question: Question) -> Iterator[Evidence]:
    """What the tests that were run as they are say of lines that the failing one executes."""
    trials, test = question.trials, question.test
    if trials is None or test is None:
        return
    tests = [each for each in trials.tests if each.verdict is Verdict.PASSED]
    passing = len(tests)
    own = {each.own for each in trials.tests}
    helpers = bool(question.given.include or question.target.only)
    lines = sorted(
        each for each in test.lines
        if each.file not in own and (helpers or not of_tests(each.file))
    )  # fmt: skip
    if not passing:
        return
    scores = spectrum([test, *tests], lines, trials.imported)["ochiai"]
    for line, score in scores.items():
        # By its formula, the passing tests that execute a line which the failing one does.
        others = round(1 / score**2 - 1) if score else passing
        if others < passing:
            says = covered_told(others, passing)
            yield Evidence(Kind.COVERED, "run", line.file, line.line, "", says, score)


def covered_told(others: int, passing: int) -> str:
    """How many passing tests execute a line that the failing one does."""
    count = "none" if not others else f"{others}"
    return f"the failing test executes it, and of the {passing} that pass {count}"


def repair_told(place: Repair, *, expected: bool = False) -> str:
    """A change that was tried, and what every test did with it.

    ``expected``: no test says what is right, but what the program is expected to print.
    """
    from stripe.report.suspects import DOING  # lazy

    failing = "the failing test passes" if place.failing == 1 else (
        f"{place.repaired} of {place.failing} failing tests pass"
    )  # fmt: skip
    if expected:
        failing = "it prints what is expected"
    how = f"with {place.words}"
    for begin, doing in DOING.items():
        if place.words.startswith(begin):
            how = doing.lower() + place.words.removeprefix(begin)
    told = f"{how} {failing}" if how.startswith("with ") else f"after {how} {failing}"
    if expected:
        return f"{told}; whether it is right for other inputs, nothing tells"
    if not place.passing:
        return f"{told}; there is no passing test that could break"
    if place.broken:
        return f"{told}, and {place.broken} of {place.passing} others break"
    others = "the other one still does" if place.passing == 1 else (
        f"the other {place.passing} still do"
    )  # fmt: skip
    return f"{told} and {others}"


# --- changes between versions


def find_blamed(case: Case, seconds: float) -> Finding:
    """What was changed since the last commits, as far as it makes this fail."""
    from stripe.changes import find_changes  # lazy

    question = case.question
    target = question.target
    command = command_of(question)
    deadline = Deadline(seconds)
    repository = _repository(target.directory)
    assert repository is not None, "the policy asks first"
    refused: list[str] = []
    dirty = bool(_git(repository, "status", "--porcelain"))
    revisions = (["HEAD"] if dirty else []) + [f"HEAD~{n + 1}" for n in range(COMMITS)]
    where = target.directory.relative_to(repository)
    test = f"cd {shlex.quote(str(where))} && {command}" if where != Path() else command
    for good in revisions:
        if deadline.left < 1.0 or not _git(repository, "rev-parse", "--verify", "-q", good):
            break
        case.doing(f"comparing with {good}")
        try:
            with cut_off_search():
                result = find_changes(
                    good,
                    ".",
                    test=test,
                    repo=repository,
                    unsafe=target.unsafe,
                    jobs=target.jobs,
                    max_time=deadline.left,
                    progress=case.progress,
                )
        except NotReducible as error:
            if error.slug != "good-fails":
                raise
            refused.append(good)
            continue
        case.changes = result
        case.note_end(result.stopped)
        if result.verified is False:
            return Finding("refused", "the changes that were found did not fail when tried again")
        found = list(change_evidence(case, result, good))
        case.evidence += found
        since = "not committed" if good == "HEAD" else f"made since {good}"
        lines = result.blamed_lines
        among = result.lines.changed
        of = "1 changed line" if among == 1 else f"{among} changed lines"
        make = "makes" if lines == 1 else "make"
        told = f"it passes at {good}; of {of} {since}, {lines} {make} it fail"
        if not result.certified:
            told += "; whether fewer do was not tried to the end"
        return Finding("found", told, result.tests, result.certified)
    if refused:
        return Finding("nothing", f"at {', '.join(refused)} it fails, or is not there, too")
    return Finding("limit", "there was no time to test another commit")


def change_evidence(case: Case, result: ChangesResult, good: str) -> Iterator[Evidence]:
    """The lines that were changed, as they are numbered in the working tree."""
    repository = _repository(case.question.target.directory)
    assert repository is not None
    since = (
        "came with a change that is not committed" if good == "HEAD"
        else f"came with a change since {good}"
    )  # fmt: skip
    sure = (
        "without it the failure is gone"
        if result.certified
        else "whether just this makes it fail was not tried to the end"
    )
    for file in result.files:
        path = own_path(str(repository / (file.after or file.before)), case.question.target)
        try:
            text = (repository / file.after).read_text(errors="replace").splitlines()
        except OSError:
            continue
        for passage in file.passages:
            number = passage.after
            for shown, _ in passage.lines:
                sign, line = shown[0], shown[1:]
                if sign == "-":
                    at = _nearest(text, "", number)
                    yield Evidence(
                        Kind.CHANGED, "changes", path, at, "",
                        f"here a line was taken out: {line.strip()!r}; {since}", 0.9,
                    )  # fmt: skip
                    continue
                if sign == "+":
                    yield Evidence(
                        Kind.CHANGED, "changes", path, _nearest(text, line, number), "",
                        f"{since}; {sure}",
                    )  # fmt: skip
                number += 1


def _nearest(text: Sequence[str], line: str, number: int) -> int:
    """The number of such a line, the nearest to where it was; else that, within the file."""
    same = [index for index, each in enumerate(text, 1) if line and each == line]
    near = min(same, key=lambda index: abs(index - number), default=number)
    return max(1, min(near, len(text)))


def command_of(question: Question) -> str:
    """What a shell runs to see whether it fails."""
    target = question.target
    backend = choose_backend(target)
    assert isinstance(backend, Interpreting)
    python = backend.interpreter(target)
    if question.test is not None:
        quiet = ["-q", "-x", "-p", "no:cacheprovider"] if target.program == "pytest" else []
        words = [python, "-m", target.program, *quiet, question.test.name]
    else:
        words = [python, *(["-m"] if target.module else []), target.program, *target.arguments]
    command = shlex.join(words)
    if target.stdin:
        command = f"printf %s {shlex.quote(target.stdin.decode())} | {command}"
    return command


def _repository(directory: Path) -> Path | None:
    """The top of the working tree that a directory is in; ``None``: it is in none."""
    top = _git(directory, "rev-parse", "--show-toplevel").strip()
    return Path(top) if top else None


def _git(directory: Path, *words: str) -> str:
    """What git says, or nothing."""
    import subprocess

    try:
        return subprocess.run(
            ["git", "--no-optional-locks", "-C", str(directory), *words],
            capture_output=True, text=True, check=True, timeout=10,
        ).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""


def has_versions(directory: Path) -> str:
    """Why there are no versions to compare; empty: there are."""
    repository = _repository(directory)
    if repository is None:
        return "it is in no git repository"
    if not _git(repository, "ls-files", "--", str(directory)):
        return "git knows none of its files"
    dirty = _git(repository, "status", "--porcelain", "--", str(directory))
    if not dirty and not _git(repository, "rev-parse", "--verify", "-q", "HEAD~1"):
        return "there is one commit, and nothing has changed since"
    return ""


# --- states of a passing run


def find_transitions(case: Case, seconds: float) -> Finding:
    """Where the variables change that make this run fail and its neighbour pass."""
    from stripe.states.causes import Input, find_causes  # lazy

    question, neighbour = case.question, neighbour_of(case)
    target, test = question.target, question.test
    options = options_of(target)
    if test is not None:
        assert isinstance(neighbour, Test), "the policy asks first"
        runs = [FailingRun(target, each) for each in (test, neighbour)]
        given = [tuple(pytest_words(target, each)) for each in runs]
        failing, passing = (
            Input(words, b"", run.test.name) for words, run in zip(given, runs, strict=True)
        )
        options["exclude"] = [*target.exclude, HELPER_FILES]
        options |= {"module": True, "environment": environment()}
        program, check = HELPER, "exception"
    else:
        assert isinstance(neighbour, Input), "the policy asks first"
        words = tuple(target.arguments)
        failing, passing = Input(words, target.stdin, shlex.join(words)), neighbour
        options["module"] = target.module
        program, check = target.program, question.check
    case.doing("looking for variables that make the difference to what passes")
    with cut_off_search():
        result = find_causes(
            program,
            failing=failing,
            passing=passing,
            check=check,
            directory=target.directory,
            max_time=seconds,
            progress=case.progress,
            **options,
        )
    case.note_end(result.stopped)
    complete = result.stopped is Reason.FINISHED
    found = list(transition_evidence(result))
    case.evidence += found
    if not found:
        return Finding("nothing", "no variable makes the difference", result.tests, complete)
    says = f"{passing.text!r} passes; values that make it fail come about here"
    return Finding("found", says, result.tests, complete)


def transition_evidence(result: CausesResult) -> Iterator[Evidence]:
    """Where a variable begins to be the cause: the earlier, the nearer to where it goes wrong."""
    for number, each in enumerate(result.transitions):
        cause = result.chain[each.after]
        function = cause.backtrace[0].function if cause.backtrace else ""
        strength = 1.0 - 0.5 * number / len(result.transitions)
        says = transition_told(cause)
        yield Evidence(Kind.TRANSITION, "causes", cause.file, cause.line, function, says, strength)


LONGEST_TRANSITION = 400
"""Characters of a value that is told of a transition: on a screen it is cut, and --all has it."""


def transition_told(cause: Cause) -> str:
    """Which variables, set as in the failing run, make the passing run fail from there on."""
    from stripe.report.causes import together  # lazy

    told = together(cause, width=LONGEST_TRANSITION)
    return f"before it {told}; set so, the run that passes fails as well"


def neighbour_of(case: Case) -> Input | Test | None:
    """What is like the failing run and passes: what was named, or another parameter set."""
    test, trials = case.question.test, case.question.trials
    if test is None or trials is None:
        return case.neighbour
    base, bracket, _ = test.name.partition("[")
    if not bracket:
        return None
    near = [
        each
        for each in trials.tests
        if each.verdict is Verdict.PASSED and each.name.startswith(f"{base}[")
    ]
    return min(near, key=lambda each: abs(each.number - test.number), default=None)


# --- a smaller input


def find_input(case: Case, seconds: float) -> Finding:
    """The few bytes of a file, or of standard input, with which it fails as well."""
    from stripe.inputs.plan import Plan  # lazy
    from stripe.inputs.reduction import reduce_input  # lazy
    from stripe.inputs.trial import Trial  # lazy
    from stripe.running.command import check_of, command_of  # lazy

    question = case.question
    target = question.target
    backend = choose_backend(target)
    assert isinstance(backend, Interpreting)
    words = [backend.interpreter(target), *(["-m"] if target.module else [])]
    words += [target.program, *target.arguments]
    file = input_of(question)
    original = target.stdin if file is None else (target.directory / file).read_bytes()
    command = command_of(
        words, file or Path("input"), stdin=file is None, directory=target.directory
    )
    # Of a command only Python's tracebacks tell an exception.
    plain = question.check == "exception" and not isinstance(backend, Intervening)
    check = check_of("crash" if plain else question.check)
    case.doing("cutting down the input")
    deadline = Deadline(seconds)
    with cut_off_search():
        trial = Trial(command, original, check, unsafe=target.unsafe, deadline=deadline)
        result = reduce_input(trial, Plan(max_time=seconds, jobs=target.jobs),
                              progress=case.progress)  # fmt: skip
    case.input = result
    case.note_end(result.stopped)
    name = "standard input" if file is None else str(file)
    left = len(result.answer)
    if left >= len(original):
        return Finding("nothing", f"nothing of {name} can be left out", result.tests)
    text = result.answer.decode("utf-8", "replace")
    shown = f": {text!r}" if left <= SHOWN_INPUT else ""
    sure = "" if result.certified else "; whether fewer would do was not tried to the end"
    says = f"with {left:,} of the {len(original):,} bytes of {name} it does the same{shown}{sure}"
    return Finding("found", says, result.tests)


def input_of(question: Question) -> Path | None:
    """The one argument that is a file; ``None``: there is not just one."""
    target = question.target
    files = [Path(each) for each in target.arguments if (target.directory / each).is_file()]
    return files[0] if len(files) == 1 and not target.stdin else None

"""The answer: places, story and certainty, from the evidence there is so far.

Every sentence follows from an experiment: nothing is called a cause that was not tried.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from stripe.backend import AUTOMATIC, Target, choose_backend
from stripe.dd import Outcome
from stripe.deadline import Deadline
from stripe.interventions import Intervening
from stripe.reduce.result import lines_of
from stripe.report.happened import exception, raised_at
from stripe.results.agreement import Found
from stripe.results.formats import WHY
from stripe.results.limits import LONGEST_VALUE
from stripe.results.why import Asked, Document, Experiment, Happened, Passing, Place, Reason, Step
from stripe.why.evidence import Evidence, Kind
from stripe.why.experiments import SHOWN_INPUT, Case
from stripe.why.functions import MODULE, function_at
from stripe.why.question import Question, in_test
from stripe.why.rank import RankedPlace, ranked
from stripe.why.story import is_whole, own_path, story

MOST_INPUT = 30
"""Characters of what the program reads that are repeated in a command to type next."""

MOST_REASONS = 3
"""Pieces of evidence that are told of a place."""

SAYS_MORE = (
    (Kind.REPAIRED, Kind.COVERED),
    (Kind.KEPT, Kind.DEPENDS),
    (Kind.DECIDES, Kind.DEPENDS),
    (Kind.RAISED, Kind.DEPENDS),
)
"""Kinds of evidence beside which another kind of the same line is not told."""


def answer(
    case: Case,
    experiments: Sequence[Experiment],
    deadline: Deadline,
    first: float | None = None,
    *,
    interrupted: bool = False,
) -> Document:
    """The answer so far."""
    question = case.question
    places = places_of(case)
    steps, analysed = _story(case)
    return Document(
        format="stripe-why-result",
        version=WHY.version,
        asked=asked(case),
        happened=happened(case),
        places=tuple(places),
        story=steps,
        aside=aside(case),
        certainty=certainty(case, places),
        following=following(question, places),
        experiments=tuple(experiments),
        notes=question.notes,
        sandbox=question.sandbox,
        first=first,
        seconds=deadline.elapsed,
        interrupted=interrupted,
        analysed=analysed,
    )


def _story(case: Case) -> tuple[tuple[Step, ...], bool]:
    """The story, and whether it is that of the recorded run, of which nothing was tested."""
    found = case.slice
    if case.result is None or found is None:
        return (), False
    steps = story(case.result, found)
    if steps or case.whole is None:
        return steps, bool(steps) and is_whole(found)
    return story(case.whole, case.whole.slices[0]), True  # the slice is of another run


def asked(case: Case) -> Asked:
    """What was asked."""
    question, passing = case.question, case.neighbour
    target, expect = question.given, question.expect
    return Asked(
        target.program, tuple(target.arguments), target.module, str(target.directory),
        b64encode(target.stdin).decode(), target.python or "", tuple(target.include),
        tuple(target.only), tuple(target.exclude), "" if question.test else question.check,
        None if expect is None else b64encode(expect).decode(),
        passes=None
        if passing is None
        else Passing(passing.arguments, b64encode(passing.stdin).decode()),
        engine=target.engine or "", timeout=target.timeout, network=target.network,
    )  # fmt: skip


def happened(case: Case) -> Happened:
    """What happened, with the exception of a test as soon as it is known."""
    known = case.question.happened
    result = case.result
    if result is None or result.recorded is None or known.symptom not in ("test", "exception"):
        return known
    told = exception(result.recorded)
    if told is None:
        return known
    raised, number = result.recorded.exception, raised_at(result)
    file, line = known.file, known.line
    if number is not None:
        statement = result.trace.statements[number]
        file = own_path(result.trace.files[statement.file].path, result.target)
        line = statement.line
    elif raised is not None and raised.file:
        file, line = own_path(raised.file, result.target), raised.line
    test = case.question.test
    says = told if test is None else in_test(told, test)
    return Happened(known.symptom, says, file, line)


def places_of(case: Case) -> list[Place]:
    """The places to look at."""
    found = ranked(
        _located(case),
        declarations=case.declarations,
        tests=case.tests,
    )
    return [_place(case, each) for each in found]


def found_lines(case: Case) -> set[Found]:
    """All lines of which something was found, whether they are among the places or not."""
    return {
        Found(each.file, source_line(case, each.file, each.line), each.kind.value)
        for each in _located(case)
    }


def _located(case: Case) -> Iterator[Evidence]:
    """The evidence, each with the function it is in, but for what ran after the failure alone.

    A tester goes on from there, as to show what was compared: that is none of the program's doing.
    """
    for each in case.evidence:
        late = case.executed is not None and (each.file, each.line) not in case.executed
        if late and each.kind is Kind.COVERED:
            continue
        function = function_at(text_of_file(case, each.file), each.line)
        yield replace(each, function=function or each.function)


def _place(case: Case, each: RankedPlace) -> Place:
    evidence = each.evidence
    kinds = {found.kind for found in evidence}
    untold = {weak for strong, weak in SAYS_MORE if strong in kinds}
    told = [found for found in evidence if found.kind not in untold]
    reasons = tuple(
        Reason(found.kind.value, found.experiment, found.says) for found in told[:MOST_REASONS]
    )
    return Place(
        each.file,
        each.line,
        "" if each.function == MODULE else each.function,
        source_line(case, each.file, each.line),
        reasons,
        next((found.diff for found in evidence if found.diff), ""),
    )


def source_line(case: Case, file: str, line: int) -> str:
    """The text of a line."""
    lines = text_of_file(case, file).splitlines()
    return lines[line - 1].strip()[:LONGEST_VALUE] if 0 < line <= len(lines) else ""


def text_of_file(case: Case, file: str) -> str:
    """The text of a file, as it was when it was first asked for; empty: it cannot be read."""
    if file not in case.texts:
        try:
            text = Path(case.question.target.directory, file).read_text(errors="replace")
        except OSError:
            text = ""
        case.texts[file] = text
    return case.texts[file]


def aside(case: Case) -> str:
    """What was shown not to matter: what was left out, and the symptom stayed."""
    cut = [] if case.input is None else [input_told(case)]
    return "; ".join(filter(None, [*cut, _left_out(case)]))


def input_told(case: Case) -> str:
    """How much of the input does the same."""
    result = case.input
    if result is None or len(result.answer) >= result.original:
        return ""
    text = result.answer.decode("utf-8", "replace")
    shown = f" ({text!r})" if len(text) <= SHOWN_INPUT else ""
    return f"{len(result.answer):,} of {result.original:,} bytes of the input{shown} do the same"


def _left_out(case: Case) -> str:
    result, found = case.result, case.slice
    if result is None or found is None:
        return ""
    without = found.of - len(found.events)
    if not without:
        return ""
    trace = result.trace
    executed = lines_of(trace, set(trace.statement))
    kept = found.lines(trace)
    lines = len(executed - kept)
    told = f"{without:,} of {found.of:,} executed statements can be left out, and it stays"
    return f"{told}; {lines} of {len(executed)} lines need not run at all" if lines else told


def certainty(case: Case, places: Sequence[Place]) -> str:
    """How sure the first place is, by what has shown it."""
    if not places:
        return "Nothing that was tried shows where to look."
    kinds = {each.kind for each in places[0].why}
    if "repaired" in kinds:
        return (
            "Repaired by a change: that shows where to look, and not that it is the right change."
        )
    if "changed" in kinds and case.changes is not None and not case.changes.certified:
        return (
            "Among the changes without which it passes: which of them makes it fail was not tried "
            "to the end."
        )
    if "changed" in kinds:
        blamed = case.changes.blamed if case.changes is not None else ()
        if any(each.without.outcome is Outcome.UNRESOLVED for each in blamed):
            return "Shown by leaving the change out: without it, it does not fail like that."
        return "Shown by leaving the change out: without it, it passes."
    if "partly" in kinds:
        return "Repaired by a change that breaks something else: look near it."
    found = case.slice
    if kinds & {"kept", "decides"} and found is not None:
        if found.certified:
            return (
                "Shown by leaving out: what is named is needed for the failure. "
                "Which of it is wrong, nothing has told."
            )
        return "Only nearby: what is named is enough for the failure, with others."
    if "raised" in kinds:
        return "Only nearby: it is where the failure showed."
    if "depends" in kinds:
        return (
            "Only nearby: an analysis of dependences leads there; nothing was tried that shows it."
        )
    return "Only nearby: which tests execute it is all that is known."


def _options(question: Question) -> Iterator[tuple[str, str]]:
    """What says where to look, as it was given, and the packages that were looked into."""
    target = question.given
    if target.python not in (None, AUTOMATIC):
        yield "--python", target.python
    added = [Path(each).name for each in question.target.include if each not in target.include]
    for name, values in (
        ("--include", [*target.include, *added]),
        ("--only", target.only),
        ("--exclude", target.exclude),
    ):
        for each in values:
            yield name, each


def _command(target: Target) -> str:
    """What is run, as it stands on a command line of ours: its options behind ``--``."""
    program = [*(["-m"] if target.module else []), target.program]
    apart = ["--"] if any(each.startswith("-") for each in target.arguments) else []
    return shlex.join([*program, *apart, *target.arguments])


def following(question: Question, places: Sequence[Place]) -> tuple[tuple[str, str], ...]:
    """What to type next, and what for."""
    target, happened = question.given, question.happened
    command = _command(target)
    given = "".join(f"{name} {shlex.quote(each)} " for name, each in _options(question))
    if target.stdin:
        text = target.stdin.decode("utf-8", "replace")
        plain = text.replace("\n", "")
        short = len(text) <= MOST_INPUT and plain.isprintable() and "\\" not in text
        quoted = "$'" + text.replace("'", "\\'").replace("\n", "\\n") + "'"
        given += f"--input {quoted if plain != text else shlex.quote(text)} " if short else (
            "--stdin FILE "
        )  # fmt: skip
    repairable = isinstance(choose_backend(target), Intervening)
    if not question.asks:
        last = happened.first + len(happened.output) - 1
        line = (f"stripe why {given}--line {last or 1} {command}", "why it prints that line")
        if not repairable:
            return (line,)
        right = f"stripe why {given}--expect FILE {command}"
        return (line, (right, "why it does not print what it should"))
    named = question.check not in ("", "exception") and question.test is None
    check = f"--check {shlex.quote(question.check)} " if named else ""
    steps = [
        (
            f"stripe trace {check}{given}--show back {command}",
            "all that it needs, from the symptom back",
        )
    ]
    if question.test is not None:
        if places and target.program == "pytest":
            steps.append((f"python -m pytest --pdb {shlex.quote(question.test.name)}", "debugger"))
    elif repairable and happened.symptom == "output" and question.expect is None:
        steps.append((f"stripe why {given}--expect FILE {command}", "have repairs tried"))
    else:
        steps.append((f"stripe why {given}--html why.html {command}", "the same as a page"))
    return tuple(steps)

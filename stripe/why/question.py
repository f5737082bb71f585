"""What is asked: the failing test, the crash, the exit status or the output of one plain run.

The run is in the sandbox, and nothing has been recorded yet.  A program that fails by itself needs
no more words; one that does not is asked about by ``check``, ``expect`` or a line of its output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from stripe.backend import End, Observation, Recording, Target, UncaughtException, choose_backend
from stripe.checks import Check, default_check, parse_check
from stripe.checks.crash import uncaught, without_colours
from stripe.checks.default import failed_test
from stripe.checks.part import STDOUT
from stripe.errors import NotReducible, UsageError
from stripe.failing_run import without_cache
from stripe.interventions import Frame, Intervening, Test, Trials, Verdict
from stripe.results.why import Happened
from stripe.snapshots import Run, Stateful
from stripe.suspects.suspect_search import require_failure
from stripe.why.packages import (
    is_looked_into,
    of_imports,
    of_tests,
    of_traceback,
    with_packages,
)

TESTERS = ("pytest", "unittest")
"""Modules that run tests: what is asked about is a failing one of these."""

LAST_LINES = 12
"""Lines of output that are shown where nothing is known to be wrong."""

CHECKS = {"exception": "exception", "signal": "signal", "exit": "crash"}
"""For each symptom that a program shows by itself, the check of it."""

TESTS_SHARE = 0.4
"""Of all the time, so much may go into running tests as they are."""

_FRAME = re.compile(
    r'^ +File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$', re.M
)

_FAILED_AT = re.compile(r"\bat (?P<file>\S+) line (?P<line>\d+)\.")
"""Where a test of the Test Anything Protocol fails, as Test::More tells it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one run.

    - ``target``: what experiments run; ``given``: as it was asked for, without what is run beside
    - ``happened``: what that did; symptom ``nothing``: there is nothing to ask yet
    - ``check``: what has to stay the same, in the form of ``--check``
    - ``test``: the failing test, if it is one; ``trials``: all tests that were run with it, open
    - ``expect``: the right output, if it is known
    - ``raised``: the type of the exception, if there is one
    - ``frames``: the traceback of the program or the test, the outermost first
    """

    target: Target
    happened: Happened
    check: str = ""
    test: Test | None = None
    trials: Trials | None = field(default=None, repr=False)
    expect: bytes | None = None
    raised: str = ""
    frames: Sequence[Frame] = field(default=(), repr=False)
    given: Target = field(default_factory=lambda: Target(""), repr=False)
    sandbox: str = ""
    notes: tuple[str, ...] = ()
    closing: ExitStack = field(default_factory=ExitStack, repr=False)

    def close(self) -> None:
        """End what it holds open."""
        self.closing.close()

    @property
    def asks(self) -> bool:
        """Whether there is something to be explained."""
        return self.happened.symptom != "nothing"


def question_of(
    target: Target, *, check: str = "", line: int | None = None, expect: bytes | None = None
) -> Question:
    """Run ``target`` once, plainly, and find out what there is to ask.

    Args:
        target: what is run; its ``deadline`` bounds the run.
        check: what is asked about, in the form of ``--check``.
        line: the number of a line of standard output that is asked about, from 1.
        expect: what the program is to print.

    Raises:
        UsageError: ``no-such-line``; ``bad-option``; the target cannot be run at all.
        NotReducible: ``nothing-fails``, ``no-tests``; the run does not end.
    """
    if target.module and target.program in TESTERS and check in ("", "exception"):
        if line is not None or expect is not None:
            raise UsageError(
                "bad-option",
                "Tests say themselves what is right: --line and --expect are for programs.",
                "Leave them out.",
            )
        return replace(_failing_test(target), given=target)
    return replace(_of_program(target, check, line, expect), given=target)


def _failing_test(target: Target) -> Question:
    """The first failing test of those that are named; with it all of its file are run.

    What passes there says what is right, and what a change must not break.
    """
    words = without_cache(target.arguments)
    named = [word for word in words if "::" in word and not word.startswith("-")]
    whole = target.program == "pytest" and bool(named)
    looked = replace(target, arguments=whole_files(words) if whole else words)
    sources = [word for word in looked.arguments if word.endswith(".py")]
    looked = replace(looked, include=with_packages(target, of_tests(sources, target)))
    backend = choose_backend(target)
    if not isinstance(backend, Intervening):
        raise UsageError(
            "no-experiments",
            f"The backend {backend.name!r} cannot run tests.",
            "Tests of Python are run by: stripe why -m pytest",
        )
    deadline = target.deadline
    deadline.tell("running the tests, to find one that fails")
    seconds = TESTS_SHARE * deadline.left if deadline.seconds is not None else 60.0
    with ExitStack() as stack:
        first = [each for each in named if each.count("::")]
        trials = stack.enter_context(
            closing(backend.trials(looked, (), seconds=seconds, first=first))
        )
        asked = [each for each in trials.tests if not whole or _is_named(each, named)]
        require_failure(asked, True, named, trials.notes)
        failing = [each for each in asked if each.verdict is Verdict.FAILED]
        test = failing[0]
        if test.detail:
            reason = test.detail.strip().rpartition("\n")[2]
            raise NotReducible(
                "no-tests",
                f"{test.name} cannot be collected, so no test of it runs: {reason}",
                f"Is all installed that it imports? Another Python is named by --python. stripe "
                f"suspects -m {target.program} tries changes of what is executed until it fails.",
            )
        notes = tuple(trials.notes)
        if more := len(failing) - 1:
            fails = "1 other test fails" if more == 1 else f"{more} other tests fail"
            notes = (*notes, f"{fails}, too: this is about the first. Name one to ask about it.")
        return Question(
            looked,
            failure_of(test, looked),
            "exception",
            test,
            trials,
            raised=test.failure.kind if test.failure else "",
            frames=test.failure.frames if test.failure else (),
            sandbox=trials.layer.value,
            notes=notes,
            closing=stack.pop_all(),
        )


def failure_of(test: Test, target: Target) -> Happened:
    """What a test failed by, and in which line of what is looked into."""
    if test.failure is None:
        return Happened("test", f"{test.name} fails")
    last = next(
        (each for each in reversed(test.failure.frames) if is_looked_into(each.file, target)), None
    )
    kind, message, frames = test.failure
    message = message or (frames and _text_at(frames[-1], target)) or ""
    says = in_test(f"{kind}: {message}" if message else kind, test)
    return Happened("test", says, *(last[:2] if last else ()))


def _text_at(frame: Frame, target: Target) -> str:
    """The line of a frame: of an assertion that says nothing it tells most."""
    try:
        lines = (target.directory / frame.file).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return lines[frame.line - 1].strip() if 0 < frame.line <= len(lines) else ""


def in_test(says: str, test: Test) -> str:
    """What a test failed by, and its name, which can be cut off."""
    name, bracket, parameters = test.name.partition("[")
    return f"{says.removesuffix('.')}, in {name.rpartition('::')[2]}{bracket}{parameters}"


def whole_files(words: Sequence[str]) -> tuple[str, ...]:
    """A command line of pytest with the files of the tests that it names, each once.

    Other words stay as they are: an option may be given twice.
    """
    found: list[str] = []
    for word in words:
        file, is_test, _ = word.partition("::")
        if not is_test or word.startswith("-"):
            found.append(word)
        elif file not in found:
            found.append(file)
    return tuple(found)


def _is_named(test: Test, named: Sequence[str]) -> bool:
    """Whether words of the command line mean a test: it, its class, or all its parameters."""
    names = [each.removeprefix("./") for each in named]
    return any(
        test.name == each or test.name.startswith((f"{each}[", f"{each}::")) for each in names
    ) or bool(test.detail and any(each.startswith(f"{test.name}::") for each in names))


def _of_program(target: Target, check: str, line: int | None, expect: bytes | None) -> Question:
    backend, once = choose_backend(target), replace(target, jobs=1)
    if isinstance(backend, Stateful):
        run: Run | Recording = backend.run(once)
        plain = run.plain
    else:
        run = backend.record(once)
        plain = run.recorded  # which knows of exceptions
    layer, notes = run.layer.value, tuple(run.notes)
    run.close()
    frames = [
        Frame(_own(each["file"], target), int(each["line"]), each["function"] or "")
        for each in _FRAME.finditer(_last_traceback(plain))
    ]
    if plain.exception is not None and not frames:
        frames = [Frame(_own(plain.exception.file, target), plain.exception.line, "")]
    if frames and _crash_of(plain) is not None:
        packages = of_traceback(frames, target)
    else:
        packages = [] if target.module else of_imports([target.program], target)
    target = replace(target, include=with_packages(target, packages))
    happened = happened_of(plain, target, frames)
    raised = happened.says.partition(":")[0] if happened.symptom == "exception" else ""
    natural = default_check(plain).spec if happened.symptom == "test" else ""
    natural = natural or CHECKS.get(happened.symptom, "")
    found = Question(
        target, happened, natural, raised=raised, frames=frames, sandbox=layer, notes=notes
    )
    if expect is not None:
        return _expected(found, plain, expect)
    if line is not None:
        return _about_line(found, plain, line)
    if check:
        says = f"{found.happened.says}; asked about is {check}"
        if not found.asks:
            says = _printed(plain, parse_check(check))
        return replace(found, check=check, happened=_about(found.happened, "output", says))
    return found


def happened_of(plain: Observation, target: Target, frames: Sequence[Frame]) -> Happened:
    """What a plain run did, if nobody says what to look at."""
    raised = _crash_of(plain)
    if raised is not None and frames:
        inside = (each for each in reversed(frames) if is_looked_into(each.file, target))
        last = next(inside, frames[-1])
        message = raised.message.strip().split("\n")[0]
        says = f"{raised.type}: {message}" if message else raised.type
        return Happened("exception", says, last.file, last.line)
    if plain.end is End.SIGNAL:
        import signal

        name = signal.Signals(plain.status).name if plain.status in set(signal.Signals) else ""
        return Happened("signal", f"The program was killed by signal {plain.status} {name}".strip())
    if plain.status and (failed := failed_test(plain)):
        name, lines = failed
        words = " ".join(line.lstrip("# ").rstrip() for line in lines)
        place = _FAILED_AT.search(words)
        says = words or f"not ok {name}"
        if place is None:
            return Happened("test", says)
        return Happened("test", says, place["file"], int(place["line"]))
    if plain.status:
        said = without_colours(plain.stderr).strip().rpartition("\n")[2][:200]
        more = f"; it said: {said}" if said else ""
        return Happened("exit", f"The program exited with status {plain.status}{more}")
    printed = _lines(plain.stdout)
    first = max(0, len(printed) - LAST_LINES)
    return Happened(
        "nothing",
        "The program ended with exit status 0, and raised nothing.",
        output=tuple(_text(each)[:1000] for each in printed[first:]),
        first=first + 1,
    )


def _crash_of(plain: Observation) -> UncaughtException | None:
    return plain.exception or uncaught(plain)


def _lines(output: bytes) -> list[bytes]:
    """The lines of an output, as checks count them: a form feed, say, ends none."""
    lines = output.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode("utf-8", "replace")


def _about(happened: Happened, symptom: str, says: str) -> Happened:
    return Happened(symptom, says, happened.file, happened.line)  # type: ignore[arg-type]


def _expected(found: Question, plain: Observation, expect: bytes) -> Question:
    """The question why something else is printed."""
    printed, right = (_lines(each.rstrip(b"\r\n")) for each in (plain.stdout, expect))
    if found.asks:  # that it crashes comes first
        return replace(found, expect=expect)
    for number, pair in enumerate(zip(printed, right, strict=False), 1):
        if pair[0] != pair[1]:
            was, should = (repr(each.decode("utf-8", "replace")[:200]) for each in pair)
            says = f"Line {number} of the output is {was}; expected was {should}"
            check = f"stdout:/{_exactly(pair[0])}/" if pair[0].strip() else "stdout"
            return replace(found, happened=Happened("output", says), check=check, expect=expect)
    if len(printed) == len(right):
        raise NotReducible(
            "nothing-fails",
            "The program prints what is expected.",
            "Ask about a line of its output: --line N, or --check 'stdout:/REGEX/'.",
        )
    says = f"The output has {len(printed)} lines; expected were {len(right)}"
    return replace(found, happened=Happened("output", says), check="stdout", expect=expect)


def _about_line(found: Question, plain: Observation, number: int) -> Question:
    """The question about one line of the output."""
    lines = _lines(plain.stdout)
    if not 1 <= number <= len(lines):
        raise UsageError(
            "no-such-line",
            f"--line {number}: the program printed {len(lines)} lines.",
            "Run it without --line: its last lines are shown with their numbers.",
        )
    text = lines[number - 1]
    says = f"Line {number} of the output is {_text(text)[:200]!r}"
    return replace(
        found,
        happened=Happened("output", says),
        check=f"stdout:/{_exactly(text)}/" if text.strip() else "stdout",
    )


def _exactly(line: bytes) -> str:
    """A regular expression for just this line, in which all stays as it is that may."""
    text = line.removesuffix(b"\r").decode("utf-8", "surrogateescape")
    plain = re.sub(r"[.^$*+?{}\[\]\\|()/]", r"\\\g<0>", text)
    return f"^{re.sub('[\udc80-\udcff]', '.', plain)}$"  # these are bytes that are no character


def _printed(plain: Observation, check: Check) -> str:
    """The line that is asked about, the first of several; else the last that was printed."""
    lines = [_text(each) for each in _lines(plain.stdout.strip())]
    for pattern in (each.lines for each in check.places if each.location == STDOUT):
        asked = [line for line in lines if pattern and pattern.search(line)]
        if asked:
            more = f" ({len(asked) - 1} more such)" if asked[1:] else ""
            return f"The program printed {asked[0][:200]!r}{more}"
    return f"The program printed {lines[-1][:200]!r} at the end" if lines else "It printed nothing"


def _last_traceback(plain: Observation) -> str:
    """The text from the last traceback on."""
    text = without_colours(plain.stderr)
    head = "Traceback (most recent call last):"
    return text[text.rfind(head) :] if head in text else ""


def _own(file: str, target: Target) -> str:
    """A file as it is called from where the program runs."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(target.directory):
        return str(path.relative_to(target.directory))
    return file

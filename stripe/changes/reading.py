"""Reading a result from its JSON form (:meth:`stripe.changes.result.ChangesResult.to_json`).

Nothing in it is believed: what does not have the form of a result is refused, so that every report
can show what is read, in a time that grows with the size of the document.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from stripe.campaign.answer import Level
from stripe.campaign.log import LogEntry
from stripe.campaign.shape import (
    COUNT,
    NAME,
    NOTE,
    OUTCOME,
    SECONDS,
    STOPPED,
    TEST,
    TESTS_RUN,
    Format,
    check_ranges,
    check_test,
    check_tests,
)
from stripe.changes.result import VERSION, Blamed, ChangedFile, ChangesResult, Passage, Tested
from stripe.dd import Outcome, Reason
from stripe.documents.forms import (
    WrongError,
    boolean,
    each,
    integer,
    integers,
    mapping,
    nullable,
    one_of,
    record,
    several,
    text,
    within,
)

FORMAT = Format(
    "stripe-changes-result",
    VERSION,
    "stripe changes",
    "A result is written by: stripe changes GOOD BAD --test COMMAND --json RESULT.json",
    "Search again with this version of stripe.",
)

MOST_CHANGES = 100_000_000
"""The largest number of single changes."""


def _signed(*signs: str) -> Any:
    """A text that begins with one of these."""
    any_text = text()

    def form(value: Any) -> None:
        any_text(value)
        if not value.startswith(signs):
            raise WrongError(f"a text that begins with {' or '.join(map(repr, signs))}", value)

    return form


TESTED = record({"outcome": nullable(OUTCOME), "predicted": boolean})

BLAMED = record({
    "path": NAME, "kinds": each(NAME), "functions": each(NAME), "commit": NAME, "subject": NOTE,
    "author": NAME, "date": NAME, "lines": each(_signed("-", "+")), "alone": TESTED,
    "without": TESTED,
})  # fmt: skip

FILE = record({
    "before": NAME, "after": NAME,
    "passages": each(record({
        "before": integer(1), "after": integer(1),
        "lines": each(several(_signed(" ", "-", "+"), integer(-1))),
    })),
})  # fmt: skip

RESULT = record({
    "format": one_of(FORMAT.name), "version": integer(VERSION, VERSION),
    "good": NAME, "bad": NAME, "steps": COUNT, "test": NOTE, "build": nullable(NOTE),
    "granularity": NAME, "algorithm": NAME, "changes": COUNT,
    "lines": record({"changed": COUNT, "blamed": COUNT}), "blamed": each(BLAMED),
    "patch": text(), "files": each(FILE), "undecided": mapping(COUNT),
    "failure": record({"bad": NOTE, "answer": NOTE}),
    "edits": record({"of": integer(0, MOST_CHANGES), "answer": integers()}),
    "log": each(record({**TEST, "predicted": boolean, "level": NAME})), "rest": TESTED,
    "narrative": each(record({"about": NAME, "text": NOTE, "items": each(NOTE)})),
    "tests": record({**TESTS_RUN, "predicted": COUNT}), "certified": boolean, "stopped": STOPPED,
    "verified": nullable(boolean), "seconds": SECONDS,
    "levels": each(record({
        "granularity": NAME, "before": COUNT, "after": COUNT, "tests": COUNT,
    })),
    "output": each(NOTE), "notes": each(NOTE),
}, {"untried": NOTE})  # fmt: skip


def from_json(data: Any, name: str = "the result") -> ChangesResult:
    """The result of which ``data`` is the JSON form; ``name`` is what errors call it.

    Raises:
        UsageError: ``not-a-result``, ``result-version``.
    """
    FORMAT.require(data, name, RESULT, _check_relations)
    return _result_of(data)


def _check_relations(data: Mapping[str, Any]) -> None:
    """Numbers point to what is there, counts are those of what they count."""
    check_tests(data["tests"])
    of = data["edits"]["of"]
    check_ranges(data["edits"]["answer"], of, "edits", "answer")
    for index, entry in enumerate(data["log"]):
        try:
            check_test(entry, of)
        except WrongError as error:
            raise error.below(index).below("log") from None
    for index, file in enumerate(data["files"]):
        for number, passage in enumerate(file["passages"]):
            owners = [by for _, by in passage["lines"]]
            path = ("files", index, "passages", number, "lines")
            within(owners, len(data["blamed"]), *path)


def _result_of(data: dict[str, Any]) -> ChangesResult:
    tests, failure = data["tests"], data["failure"]
    return ChangesResult(
        good=data["good"],
        bad=data["bad"],
        steps=data["steps"],
        test=data["test"],
        build=data["build"],
        granularity=data["granularity"],
        algorithm=data["algorithm"],
        changes=data["changes"],
        lines=data["lines"]["changed"],
        blamed_lines=data["lines"]["blamed"],
        blamed=tuple(map(_blamed_of, data["blamed"])),
        patch=data["patch"].encode("utf-8", "surrogatepass"),
        files=tuple(map(_file_of, data["files"])),
        outcomes={outcome: tests[outcome.name] for outcome in Outcome if tests[outcome.name]},
        predicted=tests["predicted"],
        cached=tests["cached"],
        resumed=tests["resumed"],
        undecided=data["undecided"],
        certified=data["certified"],
        stopped=Reason(data["stopped"]),
        verified=data["verified"],
        seconds=float(data["seconds"]),
        failure=failure["bad"],
        failure_now=failure["answer"],
        levels=tuple(
            Level(each["granularity"], each["before"], each["after"], each["tests"])
            for each in data["levels"]
        ),
        of=data["edits"]["of"],
        edits=array("i", data["edits"]["answer"]),
        log=tuple(
            LogEntry(
                each["number"],
                Outcome[each["outcome"]],
                each["size"],
                None if each["ranges"] is None else array("i", each["ranges"]),
                each["predicted"],
                each["level"],
            )
            for each in data["log"]
        ),
        rest=_tested_of(data["rest"]),
        untried=data.get("untried", ""),
        output=tuple(data["output"]),
        notes=tuple(data["notes"]),
    )


def _blamed_of(data: Mapping[str, Any]) -> Blamed:
    return Blamed(
        data["path"],
        tuple(data["kinds"]),
        tuple(data["functions"]),
        data["commit"],
        data["subject"],
        data["author"],
        data["date"],
        tuple((line[0], line[1:]) for line in data["lines"]),
        _tested_of(data["alone"]),
        _tested_of(data["without"]),
    )


def _file_of(data: Mapping[str, Any]) -> ChangedFile:
    return ChangedFile(
        data["before"],
        data["after"],
        tuple(
            Passage(
                each["before"],
                each["after"],
                tuple((line[0], line[1:], by) for line, by in each["lines"]),
            )
            for each in data["passages"]
        ),
    )


def _tested_of(data: Mapping[str, Any]) -> Tested:
    outcome = data["outcome"]
    return Tested(None if outcome is None else Outcome[outcome], data["predicted"])

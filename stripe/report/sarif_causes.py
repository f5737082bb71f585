"""A cause-effect chain as SARIF 2.1.0: each cause transition is a result, the chain a code flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stripe.dd import Reason
from stripe.report.causes import place, question, together
from stripe.report.sarif import SCHEMA, driver, uri
from stripe.report.style import printable
from stripe.results.causes import Cause, CausesResult

type Json = dict[str, Any]

AROUND = 25
"""Steps of a code flow before and after the one that a finding is about."""

RULES = [
    {
        "id": "cause-transition",
        "name": "CauseTransition",
        "shortDescription": {"text": "A cause of the failure passes to another variable."},
        "fullDescription": {
            "text": "Found by setting variables of a run that passes to what they are in one that "
            "fails: from here on, others than before make it fail. Faults are often here, or next "
            "to it."
        },
        "help": {
            "text": "Ask: is it right that this variable gets its value from the ones before?"
        },
        "defaultConfiguration": {"level": "none"},
    },
    {
        "id": "cause",
        "name": "Cause",
        "shortDescription": {"text": "The first variables that make the difference."},
        "fullDescription": {
            "text": "Set to what they are in the run that fails, they make the other one fail."
        },
        "help": {"text": "Ask: are these values right for this input?"},
        "defaultConfiguration": {"level": "none"},
    },
]


def sarif(result: CausesResult) -> Json:
    """The result as a SARIF log."""
    steps = result.steps
    run: Json = {
        "tool": {"driver": driver(RULES)},
        "columnKind": "unicodeCodePoints",
        "results": [
            _answer(result, steps, number, before)
            for number, before in enumerate(
                [None, *(result.chain[each.before] for each in result.transitions)]
            )
            if steps
        ],
        "invocations": [
            {
                "executionSuccessful": result.stopped is not Reason.STOPPED,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": printable(each)}} for each in result.notes
                ],
            }
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _answer(
    result: CausesResult, steps: Sequence[Cause], number: int, before: Cause | None
) -> Json:
    """A step of the chain; ``before``: what was the cause until then."""
    cause = steps[number]
    rule = "cause" if before is None else "cause-transition"
    text = f"{_told(cause)}. {question(result)}"
    if before is not None:
        text = f"The cause passes on: {_told(before)}; hence {_told(cause)}. {question(result)}"
    answer: Json = {
        "ruleId": rule,
        "ruleIndex": [each["id"] for each in RULES].index(rule),
        "kind": "informational",
        "level": "none",
        "message": {"text": text},
        "locations": [_location(cause)],
        "codeFlows": [
            {
                "message": {"text": "The cause-effect chain"},
                "threadFlows": [
                    {
                        "locations": [
                            {
                                "location": {
                                    **_location(each),
                                    "message": {"text": _told(each)},
                                },
                                "importance": "essential" if each is cause else "important",
                            }
                            for each in steps[max(0, number - AROUND) : number + AROUND + 1]
                        ]
                    }
                ],
            }
        ],
        "properties": {
            "check": result.check,
            "differences": cause.differences,
            "context": len(cause.context),
            "tests": result.tests,
            "oneMinimal": cause.certified,
        },
    }
    if before is not None:
        answer["relatedLocations"] = [_location(before)]
    return answer


def _told(cause: Cause) -> str:
    return printable(f"at {place(cause)}, {together(cause)}")


def _location(cause: Cause) -> Json:
    return {
        "physicalLocation": {
            "artifactLocation": uri(cause.file),
            "region": {"startLine": cause.line},
        }
    }

"""Suspects as SARIF 2.1.0: each place is a result, and its change a fix that may be tried."""

from __future__ import annotations

from typing import Any

from stripe.dd import Reason
from stripe.report.sarif import SCHEMA, driver, uri
from stripe.report.style import printable
from stripe.report.suspects import evidence
from stripe.suspects import Place, SuspectsResult
from stripe.suspects.edits import Edit, edits

type Json = dict[str, Any]

RULE: Json = {
    "id": "suspect",
    "name": "Suspect",
    "shortDescription": {"text": "A small change of this place makes failing tests pass."},
    "fullDescription": {
        "text": "Found by changing one small thing at a time and running the tests again. That a "
        "change makes failing tests pass says where to look. It is no proof: the change need not "
        "be the right one, and tests are all that is known of what is right."
    },
    "help": {"text": "Ask: is this line right, as it is, for what fails?"},
    "defaultConfiguration": {"level": "note"},
}


def sarif(result: SuspectsResult) -> Json:
    """The result as a SARIF log."""
    run: Json = {
        "tool": {"driver": driver([RULE])},
        "columnKind": "unicodeCodePoints",
        "results": [_answer(number, each, result) for number, each in enumerate(result.places, 1)],
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


def _answer(number: int, place: Place, result: SuspectsResult) -> Json:
    """A place; one that repairs all and breaks none, of some that pass, is a warning."""
    sure = place.repaired == place.failing and place.kept and not place.broken
    location: Json = {
        "physicalLocation": {
            "artifactLocation": uri(place.file),
            "region": {"startLine": place.line, "endLine": place.end},
        }
    }
    if place.function:
        location["logicalLocations"] = [{"name": printable(place.function), "kind": "function"}]
    answer: Json = {
        "ruleId": RULE["id"],
        "ruleIndex": 0,
        "level": "warning" if sure else "note",
        "message": {"text": f"{printable(evidence(place))} It is a place to look at, no proof."},
        "locations": [location],
        "properties": {
            "place": number,
            "kind": place.kind,
            "size": place.size,
            "repaired": place.repaired,
            "failing": place.failing,
            "stillPassing": place.kept,
            "broken": place.broken,
            "passing": place.passing,
            "otherChanges": place.others,
            "valuesBefore": list(map(printable, place.values.before)),
            "valuesAfter": list(map(printable, place.values.after)),
        },
    }
    if result.slice is not None:
        answer["properties"]["slice"] = result.standing(place).value
    if replaced := [*edits(place.diff or "")]:
        answer["fixes"] = [
            {
                "description": {"text": printable(f"Try {place.words}")},
                "artifactChanges": [
                    {
                        "artifactLocation": uri(place.file),
                        "replacements": [_replacement(each) for each in replaced],
                    }
                ],
            }
        ]
    return answer


def _replacement(edit: Edit) -> Json:
    """Whole lines; the end of the last one stays where there is one in both."""
    old, new = edit.old, edit.new
    region = {"startLine": edit.first, "startColumn": 1, "endLine": edit.first, "endColumn": 1}
    for end in ("\n", "\r"):
        if old.endswith(end) and new.endswith(end):
            old, new = old[:-1], new[:-1]
    last = old.rpartition("\n")[2]
    region["endLine"] += old.count("\n")
    region["endColumn"] += len(last)
    replacement: Json = {"deletedRegion": region}
    if new:
        replacement["insertedContent"] = {"text": new}
    return replacement

"""Results as JSON: as their schemas say, read again as they were written, refused if damaged."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import stripe
from stripe.dd import Reason
from stripe.errors import UsageError
from stripe.reduce import reading as of_slices
from stripe.report import SECTIONS, render
from stripe.report.causes import causes_lines
from stripe.report.changes import SECTIONS as OF_CHANGES
from stripe.report.changes import changes_lines
from stripe.report.html import causes, changes, suspects
from stripe.report.pictures import dot, svg
from stripe.report.sarif_causes import sarif
from stripe.report.schema import text
from stripe.report.style import Style
from stripe.report.suspects import suspects_lines
from stripe.results import causes as of_causes
from stripe.results import changes as of_changes
from stripe.results import suspects as of_suspects
from tests.changes.answers import answer_to, divides, interfering
from tests.states.answers import answer as causes_found
from tests.states.answers import sample as sample_of_causes
from tests.support.fake import SAMPLE, SAMPLE_INPUT
from tests.support.mutations import mutant
from tests.support.needs import LEFT_OUT
from tests.support.results import reduced, result_of, slice_of, trace_of
from tests.suspects.answers import sample as sample_of_suspects

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"
EVIL = "</code><script>alert(1)</script>\x1b[31m\u202e\udc80\"'&\n--- x\n@@ -1 +1 @@\n"

type Change = Callable[[Any], object]


@dataclass(frozen=True)
class Document:
    """A verb's result: its reader, results by name (the first is damaged), and its forms."""

    read: Callable[[Any], Any]
    results: Mapping[str, Callable[[], Any]]
    forms: Sequence[Callable[[Any], object]]


def traced(program: str, **settings: Any) -> Callable[[], Any]:
    return lambda: stripe.trace(program, directory=SAMPLES, **settings)


def by_hand() -> Any:
    trace = trace_of([1, 2, 3], "a = 1\nb = 2\nprint(b)\n")
    return result_of(trace, slice_of(trace, [1, 2]))


DOCUMENTS = {
    "trace": Document(
        of_slices.from_json,
        {
            "by hand": by_hand,
            "without a backend": lambda: reduced(SAMPLE, "stdout", stdin=SAMPLE_INPUT),
            "values": traced(
                "sample.py", stdin="0\n5\n", check=["stdout:/^sum/", "m=stdout:/^mul/"]
            ),
            "exception": traced("crash.py", check="exception", algorithm="ddmin"),
            "program": traced("condition.py", control="program", check="stdout:/^to pay/"),
            "stopped": traced("wrong_total.py", check="stdout", max_tests=3),
            "levels": traced("wrong_total.py", check="stdout", level="rounds"),
        },
        [lambda result: render(result, SECTIONS)],
    ),
    "changes": Document(
        of_changes.from_json,
        {
            "found": lambda: answer_to(interfering(), divides),
            "ended": lambda: answer_to(interfering(), divides, max_tests=2),
            "bisected": lambda: answer_to(interfering(), divides, bisect=True, algorithm="dd+"),
        },
        [lambda result: "\n".join(changes_lines(result, Style(), OF_CHANGES)), changes.page],
    ),
    "causes": Document(
        of_causes.from_json,
        {
            "found": sample_of_causes,
            "ended": lambda: causes_found(certified=False, stopped=Reason.MAX_TESTS),
        },
        [
            lambda result: "\n".join(causes_lines(result, Style())),
            *(causes.page, svg.document, dot.document),
            lambda result: json.dumps(sarif(result)),
        ],
    ),
    "suspects": Document(
        of_suspects.from_json,
        {"found": sample_of_suspects, "hostile": lambda: sample_of_suspects(EVIL)},
        [
            lambda result: "\n".join(suspects_lines(result, Style(verbose=True))),
            suspects.page,
        ],
    ),
}
EACH = [(verb, name) for verb, document in DOCUMENTS.items() for name in document.results]


@cache
def found(verb: str, name: str = "") -> Any:
    results = DOCUMENTS[verb].results
    return results[name or next(iter(results))]()


@cache
def written(verb: str, name: str = "") -> str:
    return json.dumps(found(verb, name).to_json())


def schema(verb: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads(text(verb)))


@pytest.mark.parametrize("verb", DOCUMENTS)
def test_the_schema_is_one(verb: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(text(verb)))


@pytest.mark.parametrize(("verb", "name"), EACH)
def test_what_is_read_is_what_was_written_and_the_schema_says(verb: str, name: str) -> None:
    document, result = DOCUMENTS[verb], found(verb, name)
    data = json.loads(written(verb, name))
    schema(verb).validate(data)
    again = document.read(data)
    assert json.dumps(again.to_json()) == written(verb, name)
    assert again == result or verb == "trace"
    for form in document.forms:
        assert form(again) == form(result)


def vertex(data: Any) -> Any:
    return data["chain"][0]["graph"]["vertices"][1]


def edge(data: Any) -> Any:
    return data["chain"][0]["graph"]["edges"][0]


DAMAGE: Mapping[str, Sequence[Change]] = {
    "trace": [
        lambda data: data.pop("trace"),
        lambda data: data["slices"][0]["events"].append(99),
        lambda data: data["slices"][0].update(events=[2, 1]),
        lambda data: data["slices"][0].update(values=[[7, {}]]),
        lambda data: data["slices"][0].update(others=[[0, {}]]),
        lambda data: data["slices"][0].update(others=[[1, {"a": ["1"]}]]),
        lambda data: data["slices"][0].update(looks=-1),
        lambda data: data.update(values="some"),
        lambda data: data["slices"][0].update(dependences=[[1, -3, "data", []]]),
        lambda data: data["trace"]["statement"].__setitem__(0, 5),
        lambda data: data["trace"]["caller"].__setitem__(0, 2),
        lambda data: data["trace"]["scope"].pop(),
        lambda data: data["statements"][0].update(line=0),
        lambda data: data["statements"][1].update(file=1),
        lambda data: data.update(files=None),
        lambda data: data.update(slices=[[]]),
        lambda data: data.update(statistics={"seconds": 1}),
    ],
    "changes": [
        lambda data: data.pop("log"),
        lambda data: data.update(more=1),
        lambda data: data.update(blamed=None),
        lambda data: data["blamed"][0].update(lines=["no sign"]),
        lambda data: data["blamed"][0]["alone"].update(outcome="MAYBE"),
        lambda data: data["edits"].update(answer=[0, 99]),
        lambda data: data["edits"].update(answer=[0]),
        lambda data: data["edits"].update(of=2**40),
        lambda data: data["files"][0]["passages"][0].update(before=0),
        lambda data: data["files"][0]["passages"][0]["lines"].append(["+text", 7]),
        lambda data: data["log"][0].update(ranges=[3, 1]),
        lambda data: data["log"][0].update(size=99),
        lambda data: data["log"][0].update(predicted=0),
        lambda data: data["tests"].update(executed=99),
        lambda data: data.update(stopped="somehow"),
        lambda data: data.update(format="stripe-result"),
    ],
    "causes": [
        lambda data: data.pop("chain"),
        lambda data: data.update(more=1),
        lambda data: data.update(matched=99),
        lambda data: data["fail"].update(end=1),
        lambda data: data["chain"][0].update(line=0),
        lambda data: data["chain"][0]["by_hand"].pop("why"),
        lambda data: data["chain"][0].update(backtrace=[]),
        lambda data: data["chain"][0].update(variables=[]),
        lambda data: data["chain"][0]["variables"][0].update(change="turn"),
        lambda data: data["chain"][0]["graph"].update(vertices=[]),
        lambda data: data["chain"][0]["graph"]["vertices"].extend([vertex(data)] * 60),
        lambda data: data["chain"][0]["graph"]["vertices"][0].update(kind="atom"),
        lambda data: vertex(data).update(kind="thing"),
        lambda data: vertex(data).update(side="left"),
        lambda data: vertex(data).update(type="x" * 201),
        lambda data: vertex(data).update(role="guilt"),
        lambda data: edge(data).update({"to": 60}),
        lambda data: edge(data).update({"from": -1}),
        lambda data: edge(data).update(step="over"),
        lambda data: edge(data).update(key=None),
        lambda data: edge(data).update(side="changed"),
        lambda data: data["transitions"][0].update(to=7),
        lambda data: data["transitions"].append(data["transitions"][1]),
        lambda data: data["transitions"][0].update({"from": 1}),
        lambda data: data["links"][0].update({"from": 7}),
        lambda data: data["links"][0].update(shown="yes"),
        lambda data: data["source"][0].update(text=None),
        lambda data: data["tests"].update(executed=99),
        lambda data: data.update(stopped="somehow"),
        lambda data: data.update(format="stripe-result"),
    ],
    "suspects": [
        lambda data: data.pop("lines"),
        lambda data: data.update(more=1),
        lambda data: data.update(places=None),
        lambda data: data["places"][0].update(repaired=3),
        lambda data: data["places"][0].update(still_passing=5),
        lambda data: data["places"][0].update(end=8),
        lambda data: data["places"][0].update(turns_right=["a", "b", "c"]),
        lambda data: data["places"][0].update(breaks=["a"]),
        lambda data: data["places"][0].update(line=0),
        lambda data: data["places"][0].update(file="\ud800"),
        lambda data: data["places"][0].update(change="x" * 2000),
        lambda data: data["ranking"][0].update(ochiai="high"),
        lambda data: data["ranking"][0].update(tarantula=-1),
        lambda data: data["lines"][0].update(offered=2),
        lambda data: data["changes"].update(tried=53),
        lambda data: data["changes"].update(offered=51),
        lambda data: data["slice"].update(kept=41),
        lambda data: data["ranking"][0].update(slice="perhaps"),
        lambda data: data["ranking"][0].update(slice=None),
        lambda data: data.update(slice=None),
        lambda data: data.update(stopped="somehow"),
        lambda data: data.update(format="stripe-result"),
    ],
}


@pytest.mark.parametrize(
    ("verb", "change"), [(verb, change) for verb, changes in DAMAGE.items() for change in changes]
)
def test_damage_is_noticed(verb: str, change: Change) -> None:
    data = json.loads(written(verb))
    DOCUMENTS[verb].read(data)
    change(data)
    with pytest.raises(UsageError) as caught:
        DOCUMENTS[verb].read(data)
    assert caught.value.slug == "not-a-result"


@pytest.mark.parametrize("verb", DOCUMENTS)
def test_another_version_is_refused(verb: str) -> None:
    data = json.loads(written(verb))
    with pytest.raises(UsageError) as caught:
        DOCUMENTS[verb].read({**data, "version": 1 if verb == "trace" else 2})
    assert caught.value.slug == "result-version"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "else"}', "[" * 100_000])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        of_slices.parse(text, "it")
    assert caught.value.slug == "not-a-result"


def outcome(verb: str, text: str) -> str:
    """``refused``, ``shown``, or what went wrong: every form is no larger than what was read."""
    try:
        result = DOCUMENTS[verb].read(of_slices.loaded(text, "it"))
    except UsageError as error:
        return "refused" if error.slug in ("not-a-result", "result-version") else repr(error)
    try:
        forms = [str(form(result)) for form in DOCUMENTS[verb].forms]
        forms.append(json.dumps(result.to_json()))
    except Exception as error:
        return repr(error)
    large = [form[:60] for form in forms if len(form) > 300_000 + 100 * len(text)]
    return f"too large: {large}" if large else "shown"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("verb", ["changes", "causes", "suspects"])
def test_what_is_damaged_is_refused_or_shown(verb: str, seed: int) -> None:
    """As ``tests/report/test_mutants.py`` has it for slices."""
    random_ = random.Random(seed)
    counts: Counter[str] = Counter()
    valid = schema(verb)
    for number in range(200):
        damaged = mutant(written(verb), random_)
        what = outcome(verb, damaged)
        counts[what] += 1
        if what == "shown" and number % 5 == 0:
            assert valid.is_valid(json.loads(damaged)), (seed, number)
    assert set(counts) == {"refused", "shown"}
    assert min(counts.values()) > 4, "mutants of both kinds"


def test_forms_grow_with_the_document() -> None:
    """A chain of many steps in one file with many lines, as somebody may have made it up."""
    data = json.loads(written("causes"))
    count = 400
    data["chain"] = data["chain"][:1] * count
    data["transitions"] = [{"from": n, "to": n + 1, "direct": True} for n in range(count - 1)]
    data["links"] = []
    data["source"] = [{"file": "prog.py", "line": n, "text": "x"} for n in range(1, 5000)]
    assert outcome("causes", json.dumps(data)) == "shown"

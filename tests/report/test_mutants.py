"""Hundreds of damaged results: each is refused, or every report can show it, soon enough."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import stripe
from stripe.errors import StripeError, UsageError
from stripe.lsp.slices import Sliced
from stripe.lsp.view import View
from stripe.reduce import Result, Settings
from stripe.reduce.consent import Named, confine_target
from stripe.reduce.reading import parse
from stripe.reduce.verify import verify
from stripe.report import SECTIONS, Style, fragment, render
from stripe.report.html import page
from stripe.report.plan import plan
from stripe.report.sarif import sarif
from stripe.report.schema import text as schema
from stripe.report.verification import verification
from tests.support.fake import SAMPLE, SAMPLE_INPUT, record
from tests.support.mutations import mutant
from tests.support.needs import LEFT_OUT
from tests.support.results import reduced
from tests.support.steps import TooManyStepsError, limited

jsonschema = pytest.importorskip("jsonschema", reason=LEFT_OUT)

SAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"

SEEDS = range(3)
EACH = 300
"""Mutants of a seed."""


@pytest.fixture(scope="module")
def documents() -> list[str]:
    """Results of several kinds, as they are written."""
    results = [
        stripe.trace("sample.py", directory=SAMPLES, stdin="0\n5\n", check="m=stdout:/^mul/"),
        stripe.trace("crash.py", directory=SAMPLES, check="exception", algorithm="ddmin"),
        stripe.trace("condition.py", directory=SAMPLES, control="program", check="stdout"),
        stripe.trace("wrong_total.py", directory=SAMPLES, check="stdout", max_tests=3),
        reduced(SAMPLE, "stdout", "s=stdout:/sum/", stdin=SAMPLE_INPUT),
    ]
    return [json.dumps(each.to_json()) for each in results]


def faces(result: Result, size: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that is made of a result; ``size`` characters were read."""

    def bounded(make: Callable[[], str]) -> Callable[[], None]:
        def check() -> None:
            made = make().encode()
            assert len(made) < 300_000 + 100 * size, f"{len(made)} bytes made of {size}"

        return check

    yield "terminal", bounded(lambda: render(result, SECTIONS))
    full = Style(colour=True, unicode=False, full=True, base=SAMPLES)
    yield "all of it", bounded(lambda: render(result, SECTIONS, full))
    yield "JSON", lambda: parse(json.dumps(result.to_json()), "again")
    yield "HTML", bounded(lambda: page(result))
    yield "SARIF", bounded(lambda: json.dumps(sarif(result)))
    yield "notebook", bounded(lambda: fragment(result))
    yield "editor", lambda: look(result)
    yield "plan", bounded(lambda: "\n".join(planned(result)))


def look(result: Result) -> None:
    """What an editor shows of the first slices."""
    for which in range(min(3, len(result.slices))):
        sliced = Sliced(result, {}, str(SAMPLES), which)
        for path, file in zip(sliced.paths, result.trace.files, strict=True):
            view = View(sliced, path, file.lines, len)
            list(view.diagnostics())
            list(view.hints(1, 10**6))
            for line in list(view.lines)[:50]:
                view.hover(line)


def planned(result: Result) -> list[str]:
    """What is shown before anything is run; what may not be run is refused."""
    with suppress(UsageError):
        confine_target(result.target, Named())
    with suppress(UsageError):  # a check that is none
        checks = [each.check for each in result.slices]
        return [] if result.target is None else list(plan(result.target, checks, "r.json", 80))
    return []


def outcome(document: str) -> str:
    """``refused``, ``shown``, or what went wrong where."""
    face = "reading"
    try:
        with limited(len(document)):
            try:
                result = parse(document, "it")
            except UsageError as error:
                known = error.slug in ("not-a-result", "result-version")
                return "refused" if known and len(error.message) < 1000 else repr(error)[:300]
            for face, make in faces(result, len(document)):  # noqa: B007
                make()
    except (Exception, TooManyStepsError) as error:
        return f"{face}: {error!r}"[:300]
    return "shown"


def mutants(documents: list[str], seed: int) -> Iterator[str]:
    random_ = random.Random(seed)
    for number in range(EACH):
        yield mutant(documents[number % len(documents)], random_)


def test_what_is_sound_is_shown(documents: list[str]) -> None:
    assert [outcome(each) for each in documents] == ["shown"] * len(documents)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_damaged_is_refused_or_shown(documents: list[str], seed: int) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema()))
    found: Counter[str] = Counter()
    wrong = []
    for number, document in enumerate(mutants(documents, seed)):
        what = outcome(document)
        found[what] += 1
        if what == "shown":
            # What is read is what the published schema says.
            assert number % 3 or validator.is_valid(json.loads(document)), (seed, number)
        elif what != "refused":
            wrong.append((seed, number, what))
    assert wrong == []
    assert min(found["shown"], found["refused"]) > EACH // 50, "mutants of both kinds"


def test_verification_takes_what_is_shown(documents: list[str]) -> None:
    """Damaged results, held against a sound recording of the same program."""
    random_ = random.Random(99)
    tried = 0
    for _ in range(250):
        document = mutant(documents[-1], random_)
        try:
            result = parse(document, "it")
        except UsageError:
            continue
        with limited():
            try:
                found = verify(result, record(SAMPLE, SAMPLE_INPUT), Settings(max_tests=3))
            except StripeError:
                continue
            assert list(verification(found, Style()))
            json.dumps(found.to_json())
        tried += 1
    assert tried > 5

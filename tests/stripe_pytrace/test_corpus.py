"""Every program of the corpus is recorded and replayed in full, with the expected events."""

from __future__ import annotations

import pytest

from stripe.errors import StripeError
from stripe_pytrace.backend import PythonBackend
from tests.support import corpus
from tests.support.corpus import Program
from tests.support.leftovers import nothing_left

PROGRAMS = corpus.programs()
TRACED = [program for program in PROGRAMS if program.name not in corpus.REFUSED]
FEWEST = 150


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path_factory, monkeypatch):
    with nothing_left(tmp_path_factory.mktemp("outer") / "tmp", monkeypatch):
        yield


def name(program: Program) -> str:
    return program.name


@pytest.mark.parametrize("program", TRACED, ids=name)
def test_recorded_as_expected(program, tmp_path):
    # record() itself compares the plain run, the recorded run and the full replay.
    recording = PythonBackend().record(program.place(tmp_path))
    try:
        assert corpus.exit_status(recording.plain) == program.exit
        if program.name not in corpus.WITHOUT_GOLDEN:
            expected = program.golden().read_text("utf-8")
            assert corpus.render(recording.trace) == expected
        for event in range(len(recording.trace)):
            assert all(parent < event for parent in recording.trace.parents(event, control=True))
    finally:
        recording.close()


@pytest.mark.parametrize("name", corpus.REFUSED)
def test_refused(name, tmp_path):
    program = next(program for program in PROGRAMS if program.name == name)
    with pytest.raises(StripeError) as refused:
        PythonBackend().record(program.place(tmp_path)).close()
    assert refused.value.slug == corpus.REFUSED[name][0]


def test_golden_traces_and_programs_belong_together():
    wanted = {f"{each.name}.txt" for each in TRACED if each.name not in corpus.WITHOUT_GOLDEN}
    found = {path.name for path in corpus.TRACES.iterdir()}
    variants = found - wanted
    assert wanted - found == set()
    assert {variant.partition(".")[0] for variant in variants} == set(corpus.VARIANTS)


def test_corpus_is_large():
    assert len(TRACED) >= FEWEST

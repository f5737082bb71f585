"""The native corpus: compiles without a warning, does what is listed, and always the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.stripe_gdb.programs import FOLDER, PROGRAMS, SUFFIXES, Program


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Program], Path]]:
    """Every program compiled, several at a time; asked for one, gives its executable."""
    folder = tmp_path_factory.mktemp("native")
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        jobs: dict[Program, Future[Path]] = {}
        for program in PROGRAMS:
            if not program.unavailable():
                place = folder / str(program)
                place.mkdir()
                jobs[program] = workers.submit(program.compile, place, strict=True)
        yield lambda program: jobs[program].result()
        workers.shutdown(cancel_futures=True)


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_does_what_is_listed_and_twice_the_same(program, compiled, tmp_path):
    if why := program.unavailable():
        pytest.skip(why)
    executable = compiled(program)
    runs = []
    for number in ("first", "second"):
        directory = tmp_path / number
        directory.mkdir()
        runs.append(program.run(executable, directory))
    first, second = runs
    assert first.stdout == program.stdout
    assert first.status == program.returncode
    assert program.stderr in first.stderr
    assert bool(first.stderr) == bool(program.stderr)
    assert (first.stdout, first.status, first.files) == (
        second.stdout,
        second.status,
        second.files,
    )
    if not program.stderr_varies:
        assert first.stderr == second.stderr


def test_every_file_is_listed():
    listed = set()
    for program in PROGRAMS:
        names = (program.path.name, *program.sources, *program.headers)
        listed |= {program.path.parent / name for name in names} | {program.expected}
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == listed
    assert len(PROGRAMS) == len(set(map(str, PROGRAMS)))


def test_programs_are_small_and_many():
    count = dict.fromkeys(SUFFIXES, 0)
    for program in PROGRAMS:
        count[program.language] += 1
        assert 15 <= len(program.path.read_text("utf-8").splitlines()) <= 60, program
    assert count["c"] + count["cpp"] >= 60
    assert count["rust"] >= 10

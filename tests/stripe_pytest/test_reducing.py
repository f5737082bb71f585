"""``pytest --stripe-reduce``, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

TESTS = """
import pytest

def parse(text):
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            raise ValueError(f"not open in {text!r}")
    return depth

@pytest.fixture
def base():
    return [1]

@pytest.fixture
def doubled(request):
    return request.param * 2

@pytest.mark.parametrize("text", ["(fine)", "a(b)c)d"])
def test_text(text):
    assert parse(text) == 0

@pytest.mark.parametrize(("rows", "limit"), [([[1, 2], [30, 4], [5]], 9)])
class TestRows:
    def test_rows(self, rows, limit, base, tmp_path):
        (tmp_path / "file").write_text("x")
        assert base.append(2) is None
        rows.pop(0)
        assert sum(map(sum, rows)) + len(base) < limit

@pytest.mark.parametrize("doubled", ["ab"], indirect=True)
def test_indirect(doubled):
    assert not doubled

@pytest.mark.parametrize("values", [(x for x in [1])])
def test_used_up(values):
    assert not list(values)

@pytest.mark.parametrize("x", ["abc"])
@pytest.mark.xfail(strict=True)
def test_expected(x):
    assert not x

def test_plain():
    assert False

@pytest.mark.parametrize("x", ["abc"])
def test_skipped(x):
    pytest.skip("no")
"""


def pytest_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest, which finds our plugin by itself."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )


def run(folder: Path, *options: str) -> str:
    (folder / "test_it.py").write_text(TESTS)
    done = pytest_in(folder, "-q", *options)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    return run(tmp_path_factory.mktemp("project"), "--stripe-reduce")


def test_arguments_are_reduced(output: str) -> None:
    assert "test_text(text=')')\nno single part can be left out; " in output


def test_methods_fixtures_and_changed_arguments(output: str) -> None:
    assert "test_rows(rows=[[], [30]], limit=9)" in output


def test_what_cannot_be_run_again_is_said(output: str) -> None:
    assert "not reduced: When called again, test_used_up(" in output


def test_other_tests_are_left_alone(output: str) -> None:
    assert output.count("reduced by stripe") == 3
    assert "5 failed, 1 passed, 1 skipped, 1 xfailed" in output


def test_nothing_happens_unasked(tmp_path: Path) -> None:
    assert "reduced" not in run(tmp_path)


def test_below_xdist(tmp_path: Path) -> None:
    text = run(tmp_path, "--stripe-reduce", "-n", "2", "-k", "test_text")
    assert "test_text(text=')')\nno single part can be left out; " in text


def test_another_package_of_our_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "stripe").mkdir()
    (tmp_path / "stripe" / "__init__.py").write_text("api_key = None")
    (tmp_path / "test_it.py").write_text("def test_it(): assert False")
    done = pytest_in(tmp_path, "--stripe-reduce")
    assert done.returncode == 4
    assert "--stripe-reduce needs stripe-trace where the tests run" in done.stderr
    assert "stripe.inputs" in done.stderr

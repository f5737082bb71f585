"""``stripe.trace(...)``, and the name it shares with the package ``stripe.trace``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import stripe
from stripe.errors import NotReducible
from stripe.reduce.reading import from_json
from stripe.trace import Trace
from tests.support.fake import SAMPLE, SAMPLE_SLICE, FakeBackend


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE)
    return path


def test_one_call_from_a_program_to_its_slice(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backend = FakeBackend()
    result = stripe.trace(sample, stdin="0\n5\n", check="stdout", backend=backend)
    assert isinstance(result.trace, Trace)
    assert " ".join(map(result.trace.name, result.slices[0].events)) == SAMPLE_SLICE
    assert backend.recordings[0].closed
    assert result.statistics.replays == len(backend.recordings[0].replays)
    assert capsys.readouterr() == ("", "")
    assert "16 of 31 events kept" in stripe.render(result)


def test_the_target_is_what_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(argv)\n")
    backend = FakeBackend()
    result = stripe.trace(
        "p.py", 1, "x", directory=tmp_path, include=["a"], timeout=2, jobs=3, backend=backend
    )
    (target,) = backend.targets
    assert (target.arguments, target.directory) == (("1", "x"), tmp_path)
    assert (target.include, target.timeout, target.jobs) == (("a",), 2, 3)
    assert result.command == ("p.py", "1", "x")
    read = from_json(result.to_json()).target
    assert read is not None
    assert (read.program, read.arguments, read.directory) == ("p.py", ("1", "x"), tmp_path)
    assert (read.include, read.only, read.timeout) == (("a",), (), 2)


def test_results_of_before_say_include_for_what_is_only_now(sample: Path) -> None:
    document = stripe.trace(sample, include=["a"], backend=FakeBackend()).to_json()
    del document["target"]["only"]
    read = from_json(document).target
    assert read is not None
    assert (read.include, read.only) == ((), ("a",))


def test_the_recording_is_closed_after_an_error(sample: Path) -> None:
    backend = FakeBackend()
    with pytest.raises(NotReducible):
        stripe.trace(sample, stdin="0\n5\n", check="stderr", backend=backend)
    assert backend.recordings[0].closed


def test_variables_of_all_checks_are_probed(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text("a = 1\nb = 2\n")
    checks = ["var:a@p.py:1", "b=var:b@p.py:2"]
    result = stripe.trace(path, check=checks, backend=FakeBackend())
    assert [each.events for each in result.slices] == [(0,), (1,)]


@pytest.mark.parametrize(
    "imports",
    [
        "import stripe",
        "import stripe.trace",
        "import stripe.trace.model",
        "from stripe.trace import Trace; import stripe",
        "from stripe.trace.model import Trace; import stripe.trace.model",
        "import stripe.api; import stripe.trace",
        "import stripe.cli.main; import stripe.trace",
        "import stripe.backend; import stripe.trace.model",
        "import importlib, stripe; importlib.import_module('stripe.trace')",
    ],
)
def test_function_and_package_share_the_name_in_any_order_of_imports(imports: str) -> None:
    script = f"""
{imports}
import stripe, sys
from stripe import trace
from stripe.reduce.reading import from_json
from stripe.trace import Trace
from stripe.trace.model import Trace as Same
assert Trace is Same is sys.modules["stripe.trace"].Trace
assert trace is stripe.trace
assert callable(stripe.trace) and stripe.trace.__module__ == "stripe.api", stripe.trace
"""
    subprocess.run([sys.executable, "-c", script], check=True)

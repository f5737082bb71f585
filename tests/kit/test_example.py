"""The example of ``docs/write-a-backend.md``, installed and used as anybody's would be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "backend"
NUMBERS = "3\n4\n5\n0\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the example installed in it."""
    folder = tmp_path / "site"
    shutil.copytree(EXAMPLE / "stripe_basic", folder / "stripe_basic")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    points = "".join(
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(points)
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copy(EXAMPLE / "mean.bas", folder)
    return folder


def trace(site: Path, work: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "stripe", "trace", *words],
        cwd=work,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{site}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


def kept(work: Path) -> dict[int, str]:
    """Lines of BASIC that were kept, and how many of their executions."""
    data = json.loads((work / "result.json").read_text("utf-8"))
    (found,) = data["slices"]
    assert found["certified"] is True
    assert found["verified"] is True
    lines = (work / "mean.bas").read_text().splitlines()
    return {
        int(lines[each["statement"]].split()[0]): f"{each['kept']}/{each['executed']}"
        for each in found["statements"]
        if each["kept"]
    }


def test_it_is_as_short_as_the_page_says():
    files = sorted((EXAMPLE / "stripe_basic").glob("*.py"))
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 200


def test_a_slice_in_both_control_modes(site: Path, work: Path):
    words = ["--input", NUMBERS, "--json", "result.json", "--check", "stdout:/^SUM/", "mean.bas"]
    done = trace(site, work, *words)
    assert done.returncode == 0, done.stderr
    assert kept(work) == {50: "3/4", 70: "3/3", 110: "1/1"}
    done = trace(site, work, "--force", "--control", "program", *words)
    assert done.returncode == 0, done.stderr
    assert kept(work) == {50: "4/4", 60: "4/4", 70: "3/3", 110: "1/1"}


def test_the_page_shows_what_it_prints(site: Path, work: Path):
    page = (ROOT / "docs" / "write-a-backend.md").read_text("utf-8")
    [shown] = re.findall(r"^```text\n(──.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert f"--input $'{NUMBERS.encode('unicode_escape').decode()}'" in page
    done = trace(site, work, "--input", NUMBERS, "--check", "stdout:/^SUM/", "mean.bas")
    shown, printed = (re.sub("─+$", "", text, flags=re.MULTILINE) for text in (shown, done.stdout))
    assert shown in printed


def test_several_at_a_time(site: Path, work: Path):
    words = ["--input", NUMBERS, "--json", "result.json", "--check", "stdout", "mean.bas"]
    done = trace(site, work, "--jobs", "2", *words)
    assert done.returncode == 0, done.stderr
    assert kept(work) == {
        50: "3/4", 70: "3/3", 80: "3/3", 90: "3/3", 110: "1/1", 120: "1/1", 130: "1/1",
    }  # fmt: skip


def test_an_error_of_the_program(site: Path, work: Path):
    words = ["--input", "0\n", "--json", "result.json", "--check", "stderr", "mean.bas"]
    done = trace(site, work, *words)
    assert done.returncode == 0, done.stderr
    assert kept(work) == {130: "1/1"}


@pytest.mark.parametrize(
    ("where", "instead", "said"),
    [
        # The interpreter writes more when it is asked than when it is run, ...
        ('"stdout": out.getvalue()', '"stdout": out.getvalue() + "!"', "recorded run differs"),
        # ... or loses what the recorded run did when it replays.
        ("if path is not None and event not in kept:", "if path is not None:", "fully replayed"),
    ],
)
def test_one_that_is_not_honest_is_refused(
    site: Path, work: Path, where: str, instead: str, said: str
):
    basic = site / "stripe_basic" / "basic.py"
    text = basic.read_text("utf-8")
    assert where in text
    basic.write_text(text.replace(where, instead), "utf-8")
    done = trace(site, work, "--input", NUMBERS, "mean.bas")
    assert done.returncode == 1, done.stderr
    assert said in done.stderr


def test_an_interpreter_that_ends_is_told(site: Path, work: Path):
    basic = site / "stripe_basic" / "basic.py"
    text = basic.read_text("utf-8")
    basic.write_text(text.replace("def serve(text):", "def serve(text):\n    sys.exit('no')"))
    done = trace(site, work, "--input", NUMBERS, "mean.bas")
    assert done.returncode == 3
    assert "The engine ended: no" in done.stderr
    assert "[engine-failed]" in done.stderr


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["none.bas"], "no-such-program"),
        (["--check", "var:S@mean.bas:70", "mean.bas"], "no-variables"),
        (["--live", "mean.bas"], "runs-twice"),
        (["--tty", "mean.bas"], "no-backend"),
    ],
)
def test_what_it_cannot_do_is_refused(site: Path, work: Path, words: list[str], slug: str):
    done = trace(site, work, "--input", NUMBERS, *words)
    assert done.returncode == 2, done.stderr
    assert f"[{slug}]" in done.stderr

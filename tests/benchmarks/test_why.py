"""The benchmark of ``stripe why``: its repairs, its ranks, its data and where it gets packages."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.why import repairs, sources
from benchmarks.why.answers import Lookup
from benchmarks.why.faults import SCRIPTS, Fault, Place, read
from benchmarks.why.repairs import Fix, Hunk, Undecided, applied, fixes, function_at, hunks, repair
from benchmarks.why.sources import download

BAD = """\
import math

LIMIT = 3


def area(radius):
    return math.pi * radius


def capped(value):
    value = abs(value)
    return value


class Shop:
    def total(self):
        return sum(self.prices) + 1
"""
GOOD = """\
import math
import operator

LIMIT = 4


def area(radius):
    return math.pi * radius**2


def capped(value):
    value = abs(value)
    value = min(value, LIMIT)
    return value


def helper():
    return operator.add(1, 2)


class Shop:
    def total(self):
        return sum(self.prices)
"""


def run(text: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(text, names)  # what stands above
    return names


def test_all_hunks_make_the_good_release_and_none_the_bad_one() -> None:
    bad, good = {"m.py": BAD}, {"m.py": GOOD, "new.py": "x = 1\n"}
    assert applied(bad, ()) == bad
    assert applied(bad, hunks(bad, good)) == good


def test_a_repair_is_the_hunks_that_the_test_takes() -> None:
    bad = {"m.py": BAD}

    def passes(chosen: Sequence[Hunk]) -> bool:
        names = run(applied(bad, chosen)["m.py"])
        return names["capped"](-9) == 4  # type: ignore[operator]

    chosen = repair(hunks(bad, {"m.py": GOOD}), passes)
    assert fixes(bad, chosen) == [Fix("m.py", (3,), ""), Fix("m.py", (11,), "capped")]


def test_a_repair_of_one_hunk_takes_few_runs() -> None:
    bad = {"m.py": BAD}
    runs = []

    def passes(chosen: Sequence[Hunk]) -> bool:
        runs.append(chosen)
        return run(applied(bad, chosen)["m.py"])["area"](1) != 0 and any(  # type: ignore[operator]
            each.unit == "m.py .Shop" or "total" in each.unit for each in chosen
        )

    (only,) = repair(hunks(bad, {"m.py": GOOD}), passes)
    assert fixes(bad, [only]) == [Fix("m.py", (17,), "Shop.total")]
    assert len(runs) <= 10


def test_a_repair_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repairs, "MOST_RUNS", 2)
    every = hunks({"m.py": BAD}, {"m.py": GOOD})
    with pytest.raises(Undecided):
        repair(every, lambda chosen: len(chosen) == len(every))


def test_imports_and_new_functions_are_no_places_to_look_at() -> None:
    bad = {"m.py": BAD}
    every = fixes(bad, hunks(bad, {"m.py": GOOD}))
    assert [each.function for each in every] == ["", "area", "capped", "Shop.total"]


@pytest.mark.parametrize(
    ("line", "indent", "function"),
    [
        (7, None, "area"), (7, 4, "area"), (7, 0, ""), (12, 4, "capped"), (3, None, ""),
        (17, None, "Shop.total"),
    ],
)  # fmt: skip
def test_the_function_around_a_line(line: int, indent: int | None, function: str) -> None:
    assert function_at(BAD, line, indent) == function


def lookup(tmp_path: Path, *places: Fix) -> Lookup:
    (tmp_path / "m.py").write_text(BAD)
    fault = Fault("m", "m", "1", "2", "", "", (), places)
    return Lookup(fault, Place(tmp_path, tmp_path, tmp_path))


def test_lines_of_one_function_count_once_and_ties_count_as_the_last(tmp_path: Path) -> None:
    found = lookup(tmp_path, Fix("m.py", (17,), "Shop.total"))
    lines = [[("m.py", 7)], [("m.py", 6)], [("m.py", 3), ("m.py", 17), ("m.py", 11)]]
    assert found.rank(lines) == (4, True, 4)
    assert found.rank(lines[:2]) == (None, False, 1)


def test_the_function_of_a_fixing_line_is_near_and_not_exact(tmp_path: Path) -> None:
    found = lookup(tmp_path, Fix("m.py", (12,), "capped"), Fix("m.py", (3,), ""))
    assert found.rank([[("m.py", 11)]]) == (1, False, 1)
    assert found.rank([[("m.py", 3)]]) == (1, True, 1)
    assert found.rank([[("m.py", 1)]]) == (None, False, 1)  # the module is no function
    assert found.rank([[found.line(tmp_path / "m.py", 12)]]) == (1, True, 1)


def test_nothing_of_a_source_distribution_is_run_to_fetch_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "thing-1.0"
    top.mkdir()
    (top / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (top / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    index = tmp_path / "index"
    index.mkdir()
    with tarfile.open(index / "thing-1.0.tar.gz", "w:gz") as tar:
        tar.add(top, top.name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    archive = download("thing", "1.0", "", scratch)
    assert archive.read_bytes() == (index / "thing-1.0.tar.gz").read_bytes()
    assert not (tmp_path / "ran").exists()
    with pytest.raises(OSError, match="cannot be had"):
        download("thing", "1.0", "0" * 64, scratch)


PAGE = Path(__file__).parents[2] / "docs" / "real-programs.md"


def test_the_faults_are_pinned_told_apart_and_of_many_packages() -> None:
    faults = read()
    assert len({each.name for each in faults}) == len(faults) >= 60
    assert len({each.package for each in faults}) >= 25
    known = {name.lower() for name in re.findall(r"^\| ([\w.-]+)", PAGE.read_text(), re.MULTILINE)}
    known |= {"python-dateutil", "boltons"}
    assert sum(each.package.lower() in known for each in faults) <= 20
    for each in faults:
        assert re.fullmatch(r"[0-9a-f]{64} [0-9a-f]{64}", f"{each.bad_sha256} {each.good_sha256}")
        assert all("==" in need for need in each.needs)
        assert each.fixes
        assert all(fix.lines for fix in each.fixes)
        assert bool(each.test) != bool(each.script)
        assert not each.script or (SCRIPTS / each.script).is_file()


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a page, each as its rows without the head."""
    found = re.findall(r"(?:^\|.*\n)+", text, re.M)
    return [
        [[cell.strip() for cell in row.strip("|\n").split("|")] for row in each.splitlines()[2:]]
        for each in found
    ]


@pytest.mark.parametrize("half", ["## The seen half", "## The half that is aside"])
def test_the_page_lists_every_failure_and_counts_what_it_lists(half: str) -> None:
    """No fault that is not found goes without saying why."""
    page = (Path(__file__).parents[2] / "docs/why-measured.md").read_text()
    text = page.partition(half)[2].partition("\n## ")[0]
    faults, summary, missed = tables(text)[:3]
    ranks = [int(row[2]) if row[2].isdigit() else None for row in faults]
    among = [rank for rank in ranks if rank is not None and rank <= 3]
    (own,) = [row for row in summary if row[0] == "why"]
    assert [int(cell) for cell in own[1:4]] == [len(faults), ranks.count(1), len(among)]
    assert f"{len(among)} of {len(faults)}" in " ".join(text.split())
    named = " ".join(row[0] for row in missed)
    for row, rank in zip(faults, ranks, strict=True):
        ending = "-".join(row[0].rsplit("-", 2)[1:])
        assert (ending in named) == (rank is None or rank > 3), row[0]
    assert all(len(row[1].split()) > 3 for row in missed), "each with its reason"


def test_a_release_that_is_unpacked_twice_at_a_time_is_there_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two faults of one release that were measured at a time, one was lost."""
    place = tmp_path / "sources" / "some-1.0"

    def download(package: str, version: str, sha256: str, scratch: Path) -> Path:
        (scratch / "some-1.0").mkdir()
        (scratch / "some-1.0" / "some.py").write_text("")
        with tarfile.open(scratch / "some-1.0.tar.gz", "w:gz") as tar:
            tar.add(scratch / "some-1.0", "some-1.0")
        place.mkdir(parents=True)  # meanwhile, by the other one
        (place / ".sha256").write_text("")
        return scratch / "some-1.0.tar.gz"

    monkeypatch.setattr(sources, "download", download)
    monkeypatch.setattr(sources, "cache_folder", lambda name: tmp_path)
    assert sources.unpacked("some", "1.0") == place
    assert [each.name for each in place.parent.iterdir()] == ["some-1.0"]

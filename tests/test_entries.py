"""Entry points are found as :mod:`importlib.metadata` finds them."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import entry_points

import pytest

from stripe.entries import entries

GROUP = "some.group"


def install(folder, name, text):
    (folder / name).mkdir(parents=True)
    (folder / name / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.split('-')[0]}\n")
    (folder / name / "entry_points.txt").write_text(text)


def same():
    found = [(each.name, each.value) for each in entries(GROUP)]
    assert found == sorted((each.name, each.value) for each in entry_points(group=GROUP))
    return dict(found)


def test_those_of_all_distributions_by_name(tmp_path, monkeypatch):
    install(tmp_path, "b_two-1.0.dist-info", f"[{GROUP}]\nb = json:dumps\n")
    text = f"# {GROUP}\n[other]\nx = json:load\n\n[{GROUP}]\na=os:path.join [extra]\n"
    install(tmp_path, "a_one-2.0.dist-info", text)
    install(tmp_path, "c-1.0.egg-info", f"[{GROUP}]\nc = math\n")
    install(tmp_path, "d-1.0.dist-info", "[other]\nx = json:load\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(tmp_path), *sys.path])
    assert list(same()) == ["a", "b", "c"]
    join, dumps, module = (each.load() for each in entries(GROUP))
    assert (join("a", "b"), dumps([1]), module.__name__) == ("a/b", "[1]", "math")


def test_the_first_of_two_versions_counts(tmp_path, monkeypatch):
    install(tmp_path / "user", "Some.Thing-2.dist-info", f"[{GROUP}]\nnew = json:dumps\n")
    install(tmp_path / "all", "some_thing-1.dist-info", f"[{GROUP}]\nold = json:dumps\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "user"), str(tmp_path / "all"), *sys.path])
    assert same() == {"new": "json:dumps"}


def test_those_in_a_zip_file(tmp_path, monkeypatch):
    install(tmp_path, "zipped-1.dist-info", f"[{GROUP}]\nz = json:dumps\n")
    with zipfile.ZipFile(tmp_path / "it.zip", "w") as archive:
        for path in (tmp_path / "zipped-1.dist-info").iterdir():
            archive.write(path, path.relative_to(tmp_path))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "it.zip"), *sys.path])
    assert same() == {"z": "json:dumps"}


def test_what_is_not_there_is_an_error_when_it_is_loaded(tmp_path, monkeypatch):
    install(tmp_path, "broken-1.dist-info", f"[{GROUP}]\nx = json:nothing\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (only,) = entries(GROUP)
    with pytest.raises(AttributeError):
        only.load()

"""Which installed packages are looked into beside the project."""

from __future__ import annotations

import sys

import pytest

from stripe.backend import Target
from stripe.why.packages import of_imports, of_tests


@pytest.mark.parametrize(
    ("imports", "own", "looked_into"),
    [
        ("import other", "shop", ["other"]),
        ("import other, shop", "shop", []),
        ("import other\nfrom shop import total", "src/shop", []),
        ("import other\nfrom .. import total", "shop", []),
        ("import other\nfrom tests import helper", "tests", ["other"]),
    ],
)
def test_of_a_test_other_packages_count_if_it_tests_nothing_of_the_project(
    tmp_path, imports, own, looked_into
):
    """A large one that a test uses beside took two thirds of the time for nothing."""
    site, project = tmp_path / "installed", tmp_path / "project"
    for folder in (site / "other", project / own):
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    (project / "test_a.py").write_text(imports)
    target = Target(
        "pytest", module=True, directory=project, python=sys.executable,
        environment={"PYTHONPATH": str(site)},
    )  # fmt: skip
    assert [each.name for each in of_tests(["test_a.py"], target)] == looked_into
    assert [each.name for each in of_imports(["test_a.py"], target)] == ["other"]

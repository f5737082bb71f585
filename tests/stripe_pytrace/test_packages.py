"""What is said of an exception that an installed package raises."""

from __future__ import annotations

from contextlib import closing

from stripe.backend import Target
from stripe_pytrace.backend import PythonBackend


def test_the_package_that_raised_is_named_with_the_option(tmp_path, monkeypatch):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "ratios.py").write_text("def ratio(n):\n    return 10 / (n - 3)\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "crash.py").write_text("import ratios\nprint(ratios.ratio(3))\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    with closing(PythonBackend().record(Target("crash.py", directory=project))) as recording:
        assert [each for each in recording.notes if " raised in " in each] == [
            "The exception was raised in ratios.py:2, in ratio: that is installed, and not looked "
            "into. To look there as well: --include ratios --include '**/*.py'"
        ]

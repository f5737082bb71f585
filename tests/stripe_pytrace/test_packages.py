"""What is said of an exception that an installed package raises."""

from __future__ import annotations

import stripe
from stripe.reduce.reading import from_json


def test_the_package_that_raised_is_named_with_the_option(tmp_path, monkeypatch):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "ratios.py").write_text("def ratio(n):\n    return 10 / (n - 3)\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "crash.py").write_text("import ratios\nprint(ratios.ratio(3))\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    told = stripe.render(stripe.trace("crash.py", directory=project))
    assert told.splitlines()[1:5] == [
        "exception    ZeroDivisionError: division by zero",
        "raised by    ratios.py:2, in ratio, which is installed",
        "             to look into it: --include ratios",
        "called from  2_2  crash.py:2  print(ratios.ratio(3))",
    ]


def test_a_package_that_ran_is_named_and_can_be_looked_into(tmp_path, monkeypatch):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "ratios.py").write_text("def ratio(n):\n    m = n * 2\n    return 10 / m\n")
    (packages / "idle.py").write_text("def ratio(n):\n    return n\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "wrong.py").write_text("import ratios, idle\nprint(ratios.ratio(3))\n")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    result = stripe.trace("wrong.py", check="stdout", directory=project)
    assert "Not looked into: ratios (installed). To do so: --include ratios" in result.notes
    result = stripe.trace("wrong.py", check="stdout", directory=project, include=["ratios"])
    assert [file.path.rpartition("/")[2] for file in result.trace.files] == [
        "wrong.py",
        "ratios.py",
    ]
    assert not any("Not looked into" in note for note in result.notes)


def test_a_module_of_python_that_raised_is_named(tmp_path):
    (tmp_path / "crash.py").write_text("import json\nprint(json.loads('{'))\n")
    result = stripe.trace("crash.py", directory=tmp_path)
    told = stripe.render(result)
    assert "raised by    json/decoder.py:" in told
    assert ", which comes with Python\ncalled from  2_2  crash.py:2" in told
    again = from_json(result.to_json()).recorded
    assert again is not None
    assert again.exception is not None
    assert again.exception.innermost.startswith("json/decoder.py:")

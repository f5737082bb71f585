"""A history of which a picture is taken: two of its commits only together divide by nothing."""

from __future__ import annotations

from pathlib import Path

from tests.changes.repositories import Repo

MEAN = '''\
"""Means of numbers."""


def total(values):
    """Add them up."""
    result = 0
    for value in values:
        result += value
    return result


def count(values):
    """How many there are."""
    return len(values)


def mean(values):
    """The mean of them."""
    return total(values) / max(1, count(values))


def report(values):
    """A line of text."""
    return f"mean {mean(values)}"
'''

TABLE = '''\
"""Tables of numbers."""

ROWS = [[1, 2, 3], [4, 5, 6], []]


def rows():
    """The rows to show."""
    return [row for row in ROWS if row]


def widths():
    """Columns of each."""
    return [len(row) for row in rows()]
'''

TEST = """\
from mean import mean
from table import rows

for row in rows():
    assert mean(row) * len(row) == sum(row)
"""

COUNTED = "return sum(1 for value in values if value is not None)"

COMMITS = [
    ("Ada", "Say what it is for", [("mean.py", "Means of numbers.", "Means and reports.")]),
    (
        "Grace",
        "Do not count what is missing",
        [("mean.py", "return len(values)", COUNTED), ("table.py", " []]", " [], [7, 8]]")],
    ),
    (
        "Alan",
        "Show empty rows, too",
        [("table.py", "[row for row in ROWS if row]", "list(ROWS)")],
    ),
    (
        "Grace",
        "Sums are of floating point",
        [
            ("mean.py", "result = 0\n", "result = 0.0\n"),
            ("mean.py", "max(1, count(values))", "count(values)"),
            ("table.py", "Columns of each.", "How many columns each has."),
        ],
    ),
]
"""Author, subject, and what is replaced in which file."""


def make_history(folder: Path) -> None:
    """Make a repository with all that; its first commit has the tag ``v1.0``."""
    repo = Repo(folder)
    files = {"mean.py": MEAN, "table.py": TABLE, "test.py": TEST}
    repo.commit("Means and tables", files)
    repo.git("tag", "v1.0")
    for author, subject, changes in COMMITS:
        repo.git("config", "user.name", author)
        repo.git("config", "user.email", f"{author.lower()}@example.org")
        for name, old, new in changes:
            assert old in files[name], f"{old!r} is not in {name}"
            files[name] = files[name].replace(old, new)
        repo.commit(subject, files)

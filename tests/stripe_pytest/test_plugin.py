"""``pytest --stripe``: slices of failures, whatever else pytest is asked to do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from stripe_pytest.slicing import page_names
from tests.support.leftovers import processes

PLUGINS = Path(__file__).parents[2] / "plugins"

CART = """\
class Cart:
    def __init__(self):
        self.prices = []
        self.log = []

    def add(self, price):
        if price < 0:
            raise ValueError(price)
        self.log.append(price)
        self.prices.append(price)

    def total(self):
        total = sum(self.prices)
        if total > 100:
            total = total - 10
            total = total - 1
        return total
"""

CONFTEST = """\
import pytest
from cart import Cart

@pytest.fixture
def cart(tmp_path):
    (tmp_path / "note").write_text("x")
    yield Cart()
"""

TESTS = """\
import pytest

@pytest.mark.parametrize("price, total", [(10, 10), (200, 190)])
def test_total(cart, price, total):
    cart.add(price)
    print("heard")
    assert cart.total() == total

def test_price(cart):
    cart.add(-1)

@pytest.mark.xfail
def test_known(cart):
    assert cart.total() == 7
"""


class Project:
    """A project in a folder of its own, and pytest in it."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.folder = folder / "project"
        self.tmp = folder / "tmp"
        self.tmp.mkdir()
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def pytest(self, *arguments: str, plugins: tuple[str, ...] = ()) -> str:
        """What pytest prints; nothing may be left but what it was asked to write."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTEST", "PYTHON", "COV"))
        }
        environment |= {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(self.tmp),
            "PYTHONPATH": str(PLUGINS),
        }
        if "--stripe" in arguments and "--stripe-suspects" not in arguments:
            arguments = (*arguments, "--stripe-suspects=0")
        loaded = [word for name in ("stripe_pytest.plugin", *plugins) for word in ("-p", name)]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *loaded, *arguments],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert list(self.tmp.glob("stripe-*")) == []
        assert processes(self.folder) == processes(Path("/nowhere"))
        return done.stdout + done.stderr


def section(text: str, test: str) -> str:
    """What is printed under the failure of a test, from its slice on."""
    parts = re.split(r"^_{3,} (.*?) _{3,}$", text, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))[test]
    return found.partition("- critical slice -")[2]


def kept(text: str) -> list[int]:
    """The lines with kept executions in a slice."""
    return [int(number) for number in re.findall(r"^ ▶ +(\d+)", text, re.MULTILINE)]


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    files = {"cart.py": CART, "conftest.py": CONFTEST, "test_cart.py": TESTS}
    return Project(tmp_path, {**files, "pytest.ini": "[pytest]\n"})


def test_slices_below_failures_and_as_pages(shop: Project) -> None:
    text = shop.pytest("--stripe", "--stripe-html", "pages", "--stripe-max-time=120")
    assert "2 failed, 1 passed, 1 xfailed" in text
    assert text.count("- critical slice -") == 2
    failed = section(text, "test_total[200-190]")
    # Both subtractions matter for 189, the log does not.
    parts = re.split(r"^(\w+\.py)$", failed, flags=re.MULTILINE)
    files = dict(zip(parts[1::2], map(kept, parts[2::2]), strict=True))
    assert files["cart.py"] == [1, 2, 3, 6, 10, 12, 13, 15, 16, 17]
    assert files["test_cart.py"] == [1, 3, 5, 7]
    assert "1-minimal      yes" in failed
    assert "suspects: not looked for (--stripe-suspects 0)" in failed
    raised = section(text, "test_price")
    assert "raise ValueError(price)" in raised
    assert {8} <= set(kept(raised.partition("cart.py")[2].partition("test_cart.py")[0]))
    pages = sorted(path.name for path in (shop.folder / "pages").iterdir())
    assert pages == ["test_cart.py_test_price.html", "test_cart.py_test_total_200-190.html"]
    assert "<!DOCTYPE html>" in (shop.folder / "pages" / pages[0]).read_text()


def test_a_project_with_a_stripe_of_its_own(tmp_path: Path) -> None:
    """As one that uses the payment library: tests and replays find theirs."""
    project = Project(
        tmp_path,
        {
            "stripe/__init__.py": "def charge(amount):\n    fee = 3\n    return amount + fee\n",
            "test_pay.py": "import stripe\n\ndef test_pay():\n    assert stripe.charge(5) == 5\n",
            "pytest.ini": "[pytest]\n",
        },
    )
    text = project.pytest("--stripe")
    assert "assert 8 == 5" in text
    found = section(text, "test_pay")
    assert kept(found.partition("stripe/__init__.py\n")[2]) == [1, 2, 3]
    assert kept(found.partition("stripe/__init__.py\n")[0]) == [1, 3, 4]


COMPARED = """\
import unittest
import pytest

def conv(x):
    n = len(x)
    other = n * 2
    return n

@pytest.mark.parametrize("x", ["b'b"])
def test_near(x):
    assert conv(x) / 4 == pytest.approx(0.6), "it's not"

def test_not_raised():
    with pytest.raises(ValueError):
        conv('bb')

class TestCase(unittest.TestCase):
    def test_unit(self):
        self.assertEqual([conv('bb')], [3])

@pytest.fixture
def count():
    found = conv('bb')
    assert found == 3
    return found

def test_fixture(count):
    assert count

@pytest.mark.xfail(strict=True)
def test_expected():
    assert conv('bb') == 2
"""

HELD = {4, 5, 7}
"""What conv() needs to give what it gives."""


def test_what_was_compared_is_in_the_slice_however_it_is_said(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_all.py": COMPARED, "pytest.ini": "[pytest]\n"})
    text = project.pytest("--stripe")
    for test in ("test_near[b'b]", "TestCase.test_unit", "ERROR at setup of test_fixture"):
        found = section(text, test)
        assert "1-minimal      yes" in found, test
        assert set(kept(found)) >= HELD, test
        assert 6 not in kept(found), test
    # Nothing that conv() does matters for what it does not raise, nor for what has not failed.
    assert not HELD & set(kept(section(text, "test_not_raised")))
    assert "[XPASS(strict)]" in text


def test_without_a_command_it_says_what_is_missing(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_it.py": "def test_it():\n    assert 0\n"})
    text = project.pytest("--stripe", "--stripe-command", "/nowhere/stripe")
    assert "needs the command stripe" in section(text, "test_it")
    assert "INTERNALERROR" not in text


def test_it_does_nothing_unless_asked(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_it.py": "def test_it():\n    assert 0\n"})
    assert "critical slice" not in project.pytest()


def test_what_pytest_imports_is_tiny_and_knows_no_stripe() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import stripe_pytest.plugin; "
        "print(sorted(set(sys.modules) - before))"
    )
    environment = {**os.environ, "PYTHONPATH": str(PLUGINS)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['stripe_pytest', 'stripe_pytest.plugin']"
    assert len((PLUGINS / "stripe_pytest" / "plugin.py").read_text().splitlines()) < 100


ALONE = (
    "def test_price():\n    price = 1\n    assert price == 2\n\ndef test_other():\n    assert 0\n"
)


def test_pages_of_others_are_kept_and_its_own_replaced(tmp_path: Path) -> None:
    """Here and below xdist; only the test has a part in what it asserts."""
    pytest.importorskip("xdist")
    name = "test_cart.py_test_price"
    project = Project(tmp_path, {"test_cart.py": ALONE, f"pages/{name}.html": "mine"})

    def run(*options: str, plugins: tuple[str, ...] = ()) -> str:
        # Without a configuration, a directory among the arguments may become the root of pytest.
        words = ("--stripe", "--stripe-html", "pages", "--stripe-max-time=60", *options)
        text = project.pytest(*words, "-k", "price", plugins=plugins)
        assert "1 failed" in text
        assert sorted(os.listdir(project.folder / "pages")) == [f"{name}-2.html", f"{name}.html"]
        assert (project.folder / "pages" / f"{name}.html").read_text() == "mine"
        return text

    text = run("--show-capture=no")
    assert "critical slice of test_cart.py::test_price" in text
    assert kept(text.partition("critical slice of")[2]) == [1, 2, 3]
    text = run("--rootdir", ".", "-n", "1", "test_cart.py", plugins=("xdist.plugin",))
    assert kept(section(text, "test_price")) == [1, 2, 3]
    assert "events kept" in section(text, "test_price")


def test_each_test_has_a_page_of_its_own() -> None:
    tests = [f"test_it.py::test_it[{name}]" for name in ("a-b", "a b", "a+b", "a b")]
    name = "test_it.py_test_it_a"
    assert list(page_names(tests).values()) == [f"{name}-b", f"{name}_b", f"{name}_b_2"]

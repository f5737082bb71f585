"""``pytest --stripe``: slices of failures, whatever else pytest is asked to do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from stripe.outputs.memory import remember
from stripe_pytest.sections import LEAST_SECONDS, Session, page_names
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

@pytest.mark.parametrize("price, total", [(10, 10), (200, 190)], ids=["few", "b'b"])
def test_total(cart, price, total):
    cart.add(price)
    print("heard")
    assert cart.total() == pytest.approx(total), "it's not"

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
            arguments = ("--stripe-suspects=0", *arguments)
        if "--stripe" in arguments and "--stripe-report" not in arguments:
            arguments = ("--stripe-report=full", *arguments)
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

    def instead(self, said: str) -> tuple[str, str]:
        """Options for a command that traces nothing, but says ``said``; else it is STRIPE's."""
        path = self.tmp / "instead.py"
        path.write_text(INSTEAD.format(said=said))
        return "--stripe-command", f"{sys.executable} -P {path}"


INSTEAD = """\
import os, sys
if sys.argv[1] in ("trace", "why"):
    sys.exit(print({said!r}))
os.execv(sys.executable, [sys.executable, "-P", "-m", "stripe.cli.main", *sys.argv[1:]])
"""


def section(text: str, test: str, title: str = "critical slice") -> str:
    """What is printed under the failure of a test, from its slice, or another title, on."""
    parts = re.split(r"^_{3,} (.*?) _{3,}$", text, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))[test]
    return found.partition(f"- {title} -")[2].lstrip("-")


def kept(text: str) -> list[int]:
    """The lines with kept executions in a slice."""
    return [int(number) for number in re.findall(r"^ ▶ +(\d+)", text, re.MULTILINE)]


@pytest.fixture
def shop(tmp_path: Path) -> Project:
    files = {"cart.py": CART, "conftest.py": CONFTEST, "test_cart.py": TESTS}
    return Project(tmp_path, {**files, "pytest.ini": "[pytest]\n"})


def test_the_slice_below_a_failure(shop: Project) -> None:
    """Of a test with parameters and fixtures; what was compared matters, however it is said."""
    text = shop.pytest("--stripe", "--stripe-max-time=240")
    assert "1 failed, 1 passed, 1 xfailed" in text
    assert text.count("- critical slice -") == 1
    failed = section(text, "test_total[b'b]")
    # Both subtractions matter for 189, the log does not.
    parts = re.split(r"^(\w+\.py)$", failed, flags=re.MULTILINE)
    files = dict(zip(parts[1::2], map(kept, parts[2::2]), strict=True))
    assert files["cart.py"] == [3, 10, 13, 15, 16, 17]
    assert files["test_cart.py"] == [5, 7]
    assert "1-minimal      yes" in failed
    assert "\nsuspects:" not in failed, "nobody asked for them"
    assert re.search(
        r"^stripe: failure 1 of 1, at most 240 s: test_cart.py::test_total", text, re.M
    )


def test_what_the_time_of_the_session_does_not_suffice_for_is_told(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_cart.py": ALONE})
    text = project.pytest("--stripe", "--stripe-session-time", "1", *project.instead("the slice"))
    assert "2 failed" in text
    assert "stripe: 0 of 2 failures explained; 2 left out after 1 s (--stripe-session-time)" in text
    found = section(text, "test_price")
    assert "the slice" not in found
    assert "left out after 1 s (--stripe-session-time)" in found
    assert "stripe trace -m pytest test_cart.py::test_price" in found


def test_failures_share_the_time_of_the_session() -> None:
    """The last one gets what is left, and one is not begun with less than it takes to start."""
    options = {"stripe_session_time": 100.0, "stripe_suspects": 10.0, "stripe_max_time": 60.0,
               "stripe_report": "full"}  # fmt: skip
    config = SimpleNamespace(
        getoption=options.get, pluginmanager=SimpleNamespace(get_plugin=lambda name: None)
    )
    session = Session(config, 2)  # type: ignore[arg-type]
    assert session.begin("a")
    assert session.limited(60.0) == 60.0
    assert LEAST_SECONDS < session.limited(1000.0) <= 100.0
    options["stripe_session_time"] = LEAST_SECONDS / 2
    session = Session(config, 2)  # type: ignore[arg-type]
    assert not session.begin("a")
    assert not session.begin("b")


def test_a_project_with_a_stripe_of_its_own(tmp_path: Path) -> None:
    """As one that uses the payment library: tests (here unittest's) and replays find theirs."""
    project = Project(
        tmp_path,
        {
            "stripe/__init__.py": (
                "def charge(amount):\n    fee = 3\n    other = fee * 2\n    return amount + fee\n"
            ),
            "test_pay.py": (
                "import stripe\nimport unittest\n\nclass TestPay(unittest.TestCase):\n"
                "    def test_pay(self):\n        self.assertEqual([stripe.charge(5)], [5])\n"
            ),
            "pytest.ini": "[pytest]\n",
        },
    )
    text = project.pytest("--stripe")
    assert "Lists differ: [8] != [5]" in text
    found = section(text, "TestPay.test_pay")
    assert "1-minimal      yes" in found
    assert kept(found.partition("stripe/__init__.py\n")[2]) == [2, 4]
    assert kept(found.partition("stripe/__init__.py\n")[0]) == [6]


OTHERWISE = """\
import pytest

def conv(x):
    n = len(x)
    other = n * 2
    return n

def test_not_raised():
    with pytest.raises(ValueError):
        conv('bb')

@pytest.fixture
def count():
    found = conv('bb')
    if found != 3:
        raise ValueError(found)
    return found

def test_fixture(count):
    assert count

@pytest.mark.xfail(strict=True)
def test_expected():
    assert conv('bb') == 2
"""

HELD = {4, 6}
"""What conv() needs to give what it gives."""


def test_failures_without_assertions_and_pages_of_all(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_all.py": OTHERWISE, "pytest.ini": "[pytest]\n"})
    text = project.pytest("--stripe", "--stripe-html", "pages")
    found = section(text, "ERROR at setup of test_fixture")
    assert "1-minimal      yes" in found
    assert "raise ValueError(found)" in found
    assert set(kept(found)) >= HELD
    assert 5 not in kept(found)
    # Nothing that conv() does matters for what it does not raise, nor for what has not failed.
    assert not HELD & set(kept(section(text, "test_not_raised")))
    assert "[XPASS(strict)]" in text
    pages = sorted(path.name for path in (project.folder / "pages").iterdir())
    assert pages == ["test_all.py_test_fixture.html", "test_all.py_test_not_raised.html"]
    assert "<!DOCTYPE html>" in (project.folder / "pages" / pages[0]).read_text()


def test_without_a_command_it_says_what_is_missing(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_it.py": "def test_it():\n    assert 0\n"})
    text = project.pytest(
        "--stripe", "--stripe-report", "short", "--stripe-command", "/nowhere/stripe"
    )
    found = section(text, "test_it", "why")
    assert "The command stripe of stripe-trace was not found." in found
    assert "uv tool install stripe-trace" in found
    assert "/nowhere/stripe: " in found, "what was tried, and why it is none"
    assert "INTERNALERROR" not in text


def test_it_does_nothing_unless_asked(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_it.py": "def test_it():\n    assert 0\n"})
    text = project.pytest()
    assert "critical slice" not in text
    assert "- why -" not in text


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
    """Below xdist, too; only the test has a part in what it asserts."""
    pytest.importorskip("xdist")
    name = "test_cart.py_test_price"
    files = {"test_cart.py": ALONE, f"pages/{name}.html": "mine", f"pages/{name}-2.html": "before"}
    project = Project(tmp_path, files)
    pages = project.folder / "pages"
    remember(pages / f"{name}-2.html", "page", b"before")
    # Without a configuration, a directory among the arguments may become the root of pytest.
    words = ("--stripe", "--stripe-html", "pages", "--stripe-max-time=240", "-k", "price")
    more = ("--rootdir", ".", "-n", "1", "test_cart.py")
    text = project.pytest(*words, *more, plugins=("xdist.plugin",))
    assert "1 failed" in text
    assert sorted(os.listdir(pages)) == [f"{name}-2.html", f"{name}.html"]
    assert (pages / f"{name}.html").read_text() == "mine"
    assert "<!DOCTYPE html>" in (pages / f"{name}-2.html").read_text()
    assert kept(section(text, "test_price")) == [2, 3]
    assert "events kept" in section(text, "test_price")


def test_where_failures_are_not_shown_slices_are(tmp_path: Path) -> None:
    project = Project(tmp_path, {"test_cart.py": ALONE})
    options = ("--stripe", "--show-capture=no", "-k", "price", *project.instead("the slice"))
    text = project.pytest(*options)
    assert "1 failed" in text
    said = text.partition("- critical slice: test_cart.py::test_price -")[2]
    assert "the slice" in said.splitlines()


def test_each_test_has_a_page_of_its_own() -> None:
    tests = [f"test_it.py::test_it[{name}]" for name in ("a-b", "a b", "a+b", "a b")]
    name = "test_it.py_test_it_a"
    assert list(page_names(tests).values()) == [f"{name}-b", f"{name}_b", f"{name}_b_2"]

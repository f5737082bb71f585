"""The documentation is built without a warning, and holds together."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needs import LEFT_OUT

ROOT = Path(__file__).parents[2]
PUBLIC = ("stripe", "stripe.dd", "stripe.dd.published", "stripe.inputs", "stripe.checks")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages are, built as ``make docs`` does."""
    pytest.importorskip("sphinx", reason=LEFT_OUT)
    pytest.importorskip("furo", reason=LEFT_OUT)
    pytest.importorskip("myst_parser", reason=LEFT_OUT)
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q",
         "-d", folder / "doctrees", ROOT / "docs", folder / "pages"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "pages"


def test_every_document_is_a_page(pages: Path) -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        assert (pages / path.relative_to(ROOT / "docs")).with_suffix(".html").exists(), path


def test_links_between_pages_lead_somewhere(pages: Path) -> None:
    texts = {path: path.read_text("utf-8") for path in pages.rglob("*.html")}
    tried = 0
    for page, text in texts.items():
        for link in re.findall(r'<a [^>]*href="([^":]*)"', text):
            target, _, anchor = link.partition("#")
            to = (page.parent / target).resolve() if target else page
            assert to.exists(), (page.name, link)
            if anchor and to in texts:
                assert f'id="{anchor}"' in texts[to], (page.name, link)
            tried += 1
    assert tried > 200


def test_the_library_is_described(pages: Path) -> None:
    """Each public name is there once, in one of the packages that have it."""
    text = (pages / "api.html").read_text("utf-8")
    described = set(re.findall(r'<dt [^>]*id="(stripe\.[^"]+)"', text))
    public = {
        f"{package}.{name}": getattr(importlib.import_module(package), name)
        for package in PUBLIC
        for name in importlib.import_module(package).__all__
        if name != "__version__"
    }
    ids = [id(public[name]) for name in described & set(public)]
    assert {name for name, what in public.items() if id(what) not in ids} == set()
    assert sorted(ids) == sorted(set(ids))
    assert {name for name in described if name.count(".") == 1} <= set(public)
    assert "what must stay the same, in the form of" in text


def test_pages_fetch_nothing_from_elsewhere(pages: Path) -> None:
    for page in pages.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//', text), page
        assert not re.search(r'<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//', text), page

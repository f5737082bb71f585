"""Where the user's caches are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stripe.files import caches


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is where the system has caches")
@pytest.mark.parametrize(
    ("xdg", "folder"),
    [("/its/caches", "/its/caches/stripe"), (None, "/its/home/.cache/stripe"),
     ("", "/its/home/.cache/stripe"), ("not/absolute", "/its/home/.cache/stripe")],
)  # fmt: skip
def test_on_linux_caches_are_where_freedesktop_org_has_them(
    xdg: str | None, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/its/home")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if xdg is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    assert caches() == Path(folder)


def test_nothing_is_kept_where_the_folder_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert not caches().exists()
    assert caches().is_absolute()

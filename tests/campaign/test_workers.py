"""What a worker keeps between tests, and for how long."""

from __future__ import annotations

import threading

import pytest

from stripe.campaign.workers import Store
from tests.support.patience import PATIENCE


class Kept:
    def __init__(self) -> None:
        self.closed = threading.Event()

    def close(self) -> None:
        self.closed.set()


def test_it_is_made_once_and_closed_when_nobody_asks() -> None:
    store, kept = Store(), Kept()
    for idle in (3600.0, 0.0):
        with store.use("one", lambda: kept, idle) as found:
            assert found is kept
            assert not kept.closed.is_set()
    assert kept.closed.wait(PATIENCE)


def test_what_cannot_be_made_does_not_keep_the_rest_for_ever() -> None:
    store, kept = Store(), Kept()

    def fail() -> Kept:
        raise LookupError

    with store.use("one", lambda: kept, idle=3600.0):
        pass
    with pytest.raises(LookupError), store.use("other", fail, idle=0.0):
        pass
    assert kept.closed.wait(PATIENCE)

"""A worker on another machine records the run for itself, and answers for no other run."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stripe.backend import Target
from stripe.campaign.workers import close_all
from stripe.checks import parse_check
from stripe.dd import Outcome
from stripe.errors import NotReducible, UsageError
from stripe.reduce.remote import Remote, RemoteTest
from tests.support.fake import FakeBackend

type There = Callable[..., FakeBackend]


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[There]:
    """Gives the worker a backend of some name, after another one."""

    def give(name: str) -> FakeBackend:
        other, chosen = FakeBackend(), FakeBackend()
        other.name, chosen.name = "other", name
        monkeypatch.setattr("stripe.reduce.remote.backends", lambda: [other, chosen])
        return chosen

    yield give
    close_all()


@pytest.fixture
def sent(tmp_path: Path) -> RemoteTest:
    """The test of a program, as it arrives at a worker."""
    (tmp_path / "prog.py").write_text("a = 1\nb = 2\nprint(a)\n")
    target = Target("prog.py", directory=tmp_path)
    recording = FakeBackend().record(target)
    criterion = parse_check("stdout").reference(recording.recorded)
    with ThreadPoolExecutor(1) as executor:
        remote = Remote(executor, "fake", target, ())
        test = remote.test(recording, criterion, strict=False, same=False)
    recording.close()
    found: RemoteTest = pickle.loads(pickle.dumps(test))
    return found


def test_it_records_once_and_ends_what_it_has_recorded(sent: RemoteTest, there: There) -> None:
    backend = there("fake")
    assert [sent(events) for events in ((0, 2), (0,))] == [Outcome.FAIL, Outcome.UNRESOLVED]
    (recording,) = backend.recordings
    assert not recording.closed
    close_all()
    assert recording.closed


def test_another_run_is_refused(sent: RemoteTest, there: There) -> None:
    backend = there("fake")
    (sent.target.directory / "prog.py").write_text("a = 1\nb = 3\nprint(a)\n")
    with pytest.raises(NotReducible) as caught:
        sent((0, 2))
    assert caught.value.slug == "worker-differs"
    assert backend.recordings[0].closed


def test_a_worker_without_that_backend(sent: RemoteTest, there: There) -> None:
    there("newer")
    with pytest.raises(UsageError) as caught:
        sent((0, 2))
    assert caught.value.slug == "no-backend"

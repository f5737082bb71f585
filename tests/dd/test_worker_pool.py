"""Tests on the workers of a cluster that turn out to be of no use: their workers are told."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from types import SimpleNamespace
from typing import Any

import pytest

from stripe.dd import Configuration, Outcome, Tester
from stripe.dd.worker_pool import WorkerPool
from tests.support.patience import PATIENCE

ASKED, LIKELY, USELESS, NEXT, LAST = (1,), (2,), (3,), (4,), (5,)


class Cluster(Executor):
    """Two workers that are asked as those of Dask are."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.threads = ThreadPoolExecutor(2)
        self.turning = threading.Thread(target=self.loop.run_forever)
        self.turning.start()
        self._client = SimpleNamespace(
            nthreads=lambda: {"one": 1, "two": 1},
            loop=SimpleNamespace(asyncio_loop=self.loop),
            run=self.run,
        )

    def submit(self, function: Callable[..., Any], /, *args: Any, **where: Any) -> Future[Any]:
        return self.threads.submit(function)

    async def run(self, function: Callable[[], object], **where: Any) -> None:
        function()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop).result()  # all was told
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.turning.join()
        self.loop.close()
        self.threads.shutdown()


class World:
    """Tests on workers last until they are told to end; those here until their like has begun."""

    def __init__(self, cluster: Cluster) -> None:
        self.begun: Counter[Configuration[int]] = Counter()
        self.told: list[Configuration[int]] = []
        self.changed = threading.Condition()
        self.over: set[Configuration[int]] = set()
        self.pool = WorkerPool(cluster, None, 2, self.cancel)
        self.until: Callable[[], bool] = lambda: True
        self.beside: list[Configuration[int]] = []
        self.tester = self.make_tester()

    def make_tester(self, **more: Any) -> Tester[int]:
        """One that asks these workers."""
        return Tester(
            self.there, jobs=3, executor=self.pool, here=self.here, ends=self.pool, **more
        )

    def there(self, configuration: Configuration[int]) -> Outcome:
        with self.changed:
            self.begun[configuration] += 1
            self.changed.notify_all()
            assert self.changed.wait_for(lambda: configuration in self.over, PATIENCE)
        return Outcome.UNRESOLVED

    def here(self, configuration: Configuration[int]) -> Outcome:
        with self.changed:
            self.beside.append(configuration)
            self.changed.notify_all()
            assert self.changed.wait_for(self.until, PATIENCE)
        return Outcome.PASS

    def cancel(self, configuration: Configuration[int]) -> None:
        with self.changed:
            self.told.append(configuration)
            self.changed.notify_all()

    def end(self, *configurations: Configuration[int]) -> None:
        with self.changed:
            self.over.update(configurations)
            self.changed.notify_all()

    def asked(
        self,
        configuration: Configuration[int],
        *ahead: Configuration[int],
        until: Callable[[], bool] = lambda: True,
    ) -> Outcome:
        self.until = until
        return self.tester.test(configuration, ahead)


@pytest.fixture
def world() -> Iterator[World]:
    cluster = Cluster()
    world = World(cluster)
    try:
        yield world
    finally:
        world.end(ASKED, LIKELY, USELESS, NEXT, LAST)
        world.tester.cancel_ahead()
        cluster.close()


def test_what_is_not_likely_any_more_is_ended_where_it_runs(world: World) -> None:
    begun = world.begun
    world.asked(ASKED, LIKELY, USELESS, until=lambda: begun.total() == 2)
    world.asked(NEXT, LIKELY)
    assert begun == {LIKELY: 1, USELESS: 1}
    with world.changed:
        assert world.changed.wait_for(lambda: world.told, PATIENCE)
    assert world.told == [USELESS]


def test_what_comes_of_it_is_not_its_outcome(world: World) -> None:
    begun = world.begun
    world.asked(ASKED, LIKELY, USELESS, until=lambda: begun.total() == 2)
    world.asked(NEXT, LIKELY)
    world.end(USELESS)
    assert world.asked(USELESS) is Outcome.PASS  # that of the test here


def test_it_is_not_begun_again_before_it_has_ended(world: World) -> None:
    begun = world.begun
    world.asked(ASKED, LIKELY, USELESS, until=lambda: begun.total() == 2)
    world.asked(NEXT, LIKELY)
    assert world.pool.ending(USELESS)
    world.end(LIKELY)  # that worker is free
    world.asked((6,), USELESS)
    assert begun[USELESS] == 1
    world.end(USELESS)
    wait(world.pool._ending[USELESS], PATIENCE)
    world.asked(LAST, USELESS, until=lambda: begun[USELESS] == 2)


def asked_until_another_runs_here(
    world: World, until: Callable[[], bool] = lambda: True
) -> Outcome:
    """What a worker runs, until it ends because NEXT has begun here; that lasts ``until``."""

    def answer() -> None:
        with world.changed:
            assert world.changed.wait_for(lambda: NEXT in world.beside, PATIENCE)
        world.end(LIKELY)

    ending = threading.Thread(target=answer)
    ending.start()
    try:
        return world.asked(LIKELY, USELESS, NEXT, until=until)
    finally:
        ending.join()


def test_what_runs_ahead_runs_here_while_nothing_else_does(world: World) -> None:
    world.tester = world.make_tester(cancel=lambda configuration: None)
    world.asked(ASKED, LIKELY, USELESS, until=lambda: world.begun.total() == 2)
    assert world.beside == [ASKED]
    assert asked_until_another_runs_here(world) is Outcome.UNRESOLVED  # the worker's answer
    assert world.beside == [ASKED, NEXT]
    assert world.begun == {LIKELY: 1, USELESS: 1}


def test_it_makes_room_for_what_is_asked_for(world: World) -> None:
    ended: list[Configuration[int]] = []
    world.tester = world.make_tester(cancel=ended.append)
    world.asked(ASKED, LIKELY, USELESS, until=lambda: world.begun.total() == 2)
    last = asked_until_another_runs_here(world, until=lambda: LAST in world.beside)
    assert last is Outcome.UNRESOLVED
    assert world.asked(LAST, USELESS) is Outcome.PASS
    assert ended == [NEXT]

"""Iterators that fetch, skip and end as planned.

Those for ``for`` are made of C iterators only, so that no frame of ours stands between the loop
and the program's iterator.
"""

from __future__ import annotations

from itertools import chain, filterfalse, repeat, takewhile

from ..compiling import sites
from .activation import FREE, NOTHING, OUTSIDE, Exits

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Skip:
    """The value of a dropped header: leave the target alone."""

    def __repr__(self) -> str:
        return "<dropped>"


SKIP = Skip()


class Choices(dict[int, "Any"]):
    """Iterators to fetch from by code; other codes mean what they mean at any site."""

    def __init__(self, exits: Exits) -> None:
        self.exits = exits

    def __missing__(self, code: int) -> Any:
        return self[self.exits.__missing__(code)]


class Diverging:
    """An iterator that ends the replay when asked for an item."""

    def __init__(self, diverge: Callable[[str], Any], why: str) -> None:
        self.diverge = diverge
        self.why = why

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.diverge(self.why)


def planned(iterator: Any, codes: Iterator[int], exits: Exits) -> Any:
    """What ``for`` iterates over instead of ``iterator``, which is SKIP if it was dropped."""
    choices = Choices(exits)
    choices[0] = choices[1] = repeat(SKIP)
    choices[sites.LAST_FETCH] = choices[sites.LAST_FETCH | 1] = choices[FREE] = NOTHING
    if iterator is not SKIP:
        choices[1], choices[sites.LAST_FETCH | 1] = fetches(iterator, exits)
        choices[FREE] = iterator
    items = map(next, map(choices.__getitem__, codes))
    if not exits.windowed or iterator is SKIP:
        return items
    # Beyond the window, where there are no codes, it goes on by itself.
    beyond = takewhile(OUTSIDE.__contains__, repeat(0))
    return chain(items, map(next, map((iterator,).__getitem__, beyond)))


def fetches(iterator: Any, exits: Exits) -> tuple[Iterator[Any], Iterator[Any]]:
    """What fetches an item, if there is one, and what ends the loop after one more try.

    Only strict control minds if the program's iterator has too few or too many.
    """
    if exits.strict:
        missing: Any = Diverging(exits.diverge, "a loop ended early")
        return (
            chain(map(next, repeat(iterator)), missing),
            # No generator: its frame would show in the tracebacks of the program's iterator.
            map(lambda item: exits.diverge("a loop went on"), map(next, (iterator,))),  # noqa: C417
        )
    # next(iterator, default), with the defaults from the second iterator; what is never
    # false keeps the last item, whatever it is, from coming through.
    return (
        map(next, repeat(iterator), repeat(SKIP)),
        filterfalse(exits.ended, map(next, (iterator,), (SKIP,))),
    )


class AsyncLoop:
    """``planned`` for ``async for``: what fetches an item is the program's own, or made of C."""

    def __init__(self, iterator: Any, codes: Any, exits: Exits) -> None:
        self.exits = exits
        self.codes = codes
        self.iterator = None if iterator is SKIP else iterator

    def __aiter__(self) -> Any:
        return self

    def __anext__(self) -> Any:
        code = sites.OVER if OUTSIDE else next(self.codes)
        if code == sites.OVER:
            if not OUTSIDE:
                self.exits.over()
            if self.iterator is None:
                return self._skip(sites.LAST_FETCH)
            return self.iterator.__anext__()
        if code > (sites.LAST_FETCH | 1):
            code = self.exits.__missing__(code)
        if code & 1 and self.iterator is not None:
            if code & sites.LAST_FETCH:
                return LastFetch(awaited(self.iterator.__anext__()), map(end_loop, (None,)))
            if self.exits.strict:
                return self.iterator.__anext__()
            return anext(self.iterator, SKIP)
        return self._skip(code)

    async def _skip(self, code: int) -> Any:
        if code & sites.LAST_FETCH:
            raise StopAsyncIteration
        return SKIP


class LastFetch(chain["Any"]):
    """Awaits what fetches an item, and ends the loop whatever came of it.

    Made of C iterators, as a coroutine of ours would show in the traceback of what is raised there.
    """

    def __new__(cls, fetch: Any, end: Iterator[Any]) -> LastFetch:
        made: LastFetch = super().__new__(cls, fetch, end)
        made.fetch = fetch
        return made

    fetch: Any

    def __await__(self) -> Any:
        return self

    def throw(self, *error: Any) -> Any:
        """Throw an exception into what is awaited, as when a task is cancelled."""
        try:
            return self.fetch.throw(*error)
        except StopIteration:
            raise StopAsyncIteration from None

    def close(self) -> None:
        self.fetch.close()


def awaited(awaitable: Any) -> Any:
    """The iterator that ``await`` goes through."""
    steps = getattr(awaitable, "__await__", None)
    return iter(awaitable) if steps is None else steps()


def end_loop(_: None) -> Any:
    raise StopAsyncIteration


class Opened:
    """An asynchronous iterator that is there already."""

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator

    def __aiter__(self) -> Any:
        return self.iterator

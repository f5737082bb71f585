"""What loops fetch from in a replay: the program's own iterators, and what stands for them.

``Replayer.loop`` and ``async_loop`` put them together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import sites


class Skip:
    """The value of a dropped header: leave the target alone."""

    def __repr__(self) -> str:
        return "<dropped>"


SKIP = Skip()


class Choices(dict[int, Any]):
    """Iterators to fetch from by code; other codes mean what they mean at any site."""

    def __init__(self, exits: Any) -> None:
        self.exits = exits

    def __missing__(self, code: int) -> Any:
        return self.exits.__missing__(code)


class Diverging:
    """An iterator that ends the replay when asked for an item."""

    def __init__(self, diverge: Callable[[str], Any], why: str) -> None:
        self.diverge = diverge
        self.why = why

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.diverge(self.why)


class AsyncLoop:
    """``Replayer.loop`` for ``async for``."""

    def __init__(self, replayer: Any, iterable: Any, codes: Any) -> None:
        self.replayer = replayer
        self.codes = codes
        self.iterator = None if iterable is SKIP else aiter(iterable)

    def __aiter__(self) -> Any:
        return self

    def __anext__(self) -> Any:
        code = next(self.codes)
        if code > (sites.LAST_FETCH | 1):
            self.replayer.exits.__missing__(code)
        if code & 1 and self.iterator is not None:
            if code & sites.LAST_FETCH:
                return self._last()
            if self.replayer.strict:
                return self.iterator.__anext__()
            return self._item()
        return self._skip(code)

    async def _item(self) -> Any:
        assert self.iterator is not None
        try:
            return await self.iterator.__anext__()
        except StopAsyncIteration:
            return SKIP

    async def _last(self) -> Any:
        assert self.iterator is not None
        await self.iterator.__anext__()
        raise StopAsyncIteration

    async def _skip(self, code: int) -> Any:
        if code & sites.LAST_FETCH:
            raise StopAsyncIteration
        return SKIP

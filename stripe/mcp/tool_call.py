"""One call of a tool, in a process of its own: progress is told, and a cancelled one is ended."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from stripe.campaign.progress import Progress
from stripe.errors import StripeError
from stripe.report.progress import describe
from stripe.search_process.parent import RunningSearch

WORKER = "stripe.mcp.worker"
"""The module that the process of a call runs."""

TELLING_SECONDS = 0.5
"""Between two messages on progress."""


class ToolCalls:
    """The calls for one project: one runs at a time, since each uses all processors."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._free = asyncio.Lock()

    async def run[Found](
        self,
        context: Context,
        read: Callable[[Any], Found],
        tool: str,
        max_time: float,
        **arguments: Any,
    ) -> Found:
        """What a tool answers, as ``read`` makes it from JSON.

        Raises:
            ToolError: with what every error of stripe says: what happened, and what to do.
        """
        request = {"tool": tool, "project": str(self.project), "max_time": max_time, **arguments}
        search = RunningSearch(WORKER, json.dumps(request), read)
        heard = Heard()
        # A task of its own, which is cancelled once: it waits for the end of its process then.
        task = asyncio.ensure_future(self._alone(search, heard))
        try:
            ended = False
            while not ended:
                ended = bool((await asyncio.wait([task], timeout=TELLING_SECONDS))[0])
                for seconds, says in heard.take():
                    await context.report_progress(seconds, max_time, says)
            answer, _ = task.result()
        except StripeError as error:
            raise ToolError(f"{error.message} [{error.slug}]\n{error.hint}".strip()) from None
        finally:
            task.cancel()
        if answer is None:
            raise ToolError("It was ended before there was an answer. [interrupted]")
        return answer

    async def _alone[Found](
        self, search: RunningSearch[Found], heard: Heard
    ) -> tuple[Found | None, str]:
        async with self._free:
            heard.begin()
            return await search.run(heard.progress, heard.doing)


class Heard:
    """What a call was heard to do: each thing that it began, however short, and its last progress.

    Its time runs from when it was asked for, so that it grows with each message, as the protocol
    demands.
    """

    def __init__(self) -> None:
        self._asked = time.monotonic()
        self._says = "waiting for the call before"
        self._new: list[tuple[float, str]] = []

    def begin(self) -> None:
        self.doing("beginning")

    def take(self) -> list[tuple[float, str]]:
        """What was begun since this was asked last, and what is done now: seconds, and words."""
        new, self._new = self._new, []
        return [*new, (self._seconds(), self._says)]

    def progress(self, progress: Progress) -> None:
        self._says = describe(progress)

    def doing(self, what: str) -> None:
        self._says = what
        self._new.append((self._seconds(), what))

    def _seconds(self) -> float:
        return time.monotonic() - self._asked

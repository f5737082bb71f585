"""A search in a process of its own, which ends with us whatever happens."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

from stripe.campaign.progress import Progress
from stripe.errors import BackendError, NotReducible, StripeError, UsageError
from stripe.search_process.child import internal

PATIENCE = 10.0
"""Seconds that a search which was told to end is given, before it is told so more firmly.

Twice that at most: first it would give the best slice so far, then it still cleans up.
"""


class RunningSearch[Found]:
    """One search, whose result ``read`` makes from JSON.

    ``worker`` is the module that its process runs, ``request`` the line that it reads.
    Run it once; :meth:`stop` may be called at any time, and more than once.
    ``over`` is set when its process is gone.
    """

    def __init__(
        self,
        worker: str,
        request: str,
        read: Callable[[Any], Found],
        request_id: int | str | None = None,
    ) -> None:
        self._worker = worker
        self._request = request
        self._read = read
        self.request_id = request_id
        self._process: asyncio.subprocess.Process | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._stopped = False
        self.over = asyncio.Event()

    async def run(
        self,
        progress: Callable[[Progress], None],
        doing: Callable[[str], None] = lambda what: None,
        better: Callable[[Found], None] = lambda found: None,
    ) -> tuple[Found | None, str]:
        """The result, or ``None`` if the search was stopped too early, and the worker's log.

        ``doing`` is told what is done that is no test, ``better`` each result so far.

        Raises :class:`~stripe.errors.StripeError`.  If the task is cancelled, the process is
        ended before this returns.
        """
        try:
            return await self._run(progress, doing, better)
        finally:
            self.over.set()

    async def _run(
        self,
        progress: Callable[[Progress], None],
        doing: Callable[[str], None],
        better: Callable[[Found], None],
    ) -> tuple[Found | None, str]:
        if self._stopped:
            return None, ""
        self._process = process = await asyncio.create_subprocess_exec(
            # Not from the directory we are in: that may hold a `stripe` of its own.
            sys.executable, "-P", "-m", self._worker,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 30,  # a result is one line
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        log = asyncio.ensure_future(process.stderr.read())
        try:
            process.stdin.write(self._request.encode() + b"\n")
            self._pass_on()
            answer: dict[str, Any] = {}
            async for line in process.stdout:
                message = json.loads(line)
                if "progress" in message:
                    progress(Progress(**message["progress"]))
                elif "doing" in message:
                    doing(message["doing"])
                elif "better" in message:
                    better(self._read(message["better"]))
                else:
                    answer = message
            status = await process.wait()
            text = (await log).decode("utf-8", "replace")
        finally:
            await asyncio.shield(self._end(process))
            log.cancel()
            if self._stopping is not None:
                self._stopping.cancel()
        if "result" in answer:
            # Large results take a while to read, and nobody should wait for that.
            return await asyncio.to_thread(self._read, answer["result"]), text
        if "error" in answer:
            raise error_of(answer["error"])
        if answer or self._stopped:
            return None, text
        last = text.strip().splitlines()[-1:]
        raise internal(f"the search ended with status {status}. {''.join(last)}".strip())

    def stop(self) -> None:
        """End the search with the best slice so far; a second time, at once."""
        again, self._stopped = self._stopped, True
        if again and self._process is not None and self._process.returncode is None:
            self._process.terminate()
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        """Tell the process that it is to stop, if it is."""
        process = self._process
        if not self._stopped or process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        process.stdin.write(b"stop\n")
        self._stopping = asyncio.ensure_future(self._insist(process))

    async def _insist(self, process: asyncio.subprocess.Process) -> None:
        await asyncio.sleep(PATIENCE)
        process.terminate()
        await asyncio.sleep(PATIENCE)
        process.kill()

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """See to it that the process is gone."""
        if process.returncode is not None:
            return
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            process.kill()
            await process.wait()


def error_of(error: dict[str, Any]) -> StripeError:
    """An error as the worker has told it."""
    kinds = {each.exit_status: each for each in (UsageError, NotReducible, BackendError)}
    return kinds[error["status"]](error["slug"], error["message"], error["hint"])

"""Ctrl-C and other signals that ask for an end: nothing found so far is lost by them.

Until a search begins, a signal ends the command at once.  From then on there is something to keep:
the first signal asks the search to end, and one that comes right behind it (to the process group,
and by a shell once more) is the same request.  The search, with the test that is running, then has
:data:`LAST_TEST_SECONDS` to end.  After these, or by a deliberate later signal, it is cut off, and
no other test is begun; the later signal also cuts off a device that nobody reads.  Nothing else is
ever cut off by a signal, so that what was found is also written.  What only computes is cut off
when its time is over (:class:`Alarm`).

While a program is recorded that may not end, and somebody has been told so, the first Ctrl-C cuts
off the program, to look at what it did so far, and the next one ends the command.
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

GRACE = 1.0
"""Seconds in which a second signal is the same request as the first."""

LAST_TEST_SECONDS = 0.5
"""Seconds for what runs when a search is asked to end, with what follows a search."""


class Terminated(SystemExit):
    """SIGTERM or SIGHUP arrived; an exception, so that everything is cleaned up on the way out.

    A SystemExit, as an event loop goes on after any other that is raised in one of its callbacks.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class CutByHand(KeyboardInterrupt):
    """Ctrl-C while a program ran that may be cut off; ``seconds`` is how long it had run."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class _CutOffer:
    """Whether Ctrl-C cuts off the program that runs now; see :func:`cut_by_hand`."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.told = False
        self._taken = -math.inf

    def on_interrupt(self) -> None:
        """Take note of a Ctrl-C in a command; raises CutByHand if it was offered."""
        now, since = time.monotonic(), self.since
        if since is not None and self.told:
            self.since, self._taken = None, now
            raise CutByHand(now - since)

    @property
    def just_taken(self) -> bool:
        """Whether another signal still is the same request."""
        return time.monotonic() - self._taken < GRACE


_OFFER = _CutOffer()


@contextmanager
def cut_by_hand(allowed: bool) -> Iterator[None]:
    """A context in which a program runs that, if that is ``allowed``, Ctrl-C may cut off.

    Within a command, and once :func:`offer_cut` was asked, it raises CutByHand then; elsewhere
    Ctrl-C is what it is.
    """
    if allowed and threading.current_thread() is threading.main_thread():
        command = signal.getsignal(signal.SIGINT)
        if isinstance(command, OrderlyEnd) and not command.at_once:
            _OFFER.told = False
            _OFFER.since = time.monotonic()
    try:
        yield
    finally:
        _OFFER.since = None


def offer_cut() -> bool:
    """Whether a program runs that Ctrl-C can cut off; if so it does from now on: tell the user."""
    _OFFER.told = True
    return _OFFER.since is not None


def just_cut() -> bool:
    """Whether Ctrl-C cut off a program so recently that another one is the same request."""
    return _OFFER.just_taken


@contextmanager
def reader_decides() -> Iterator[None]:
    """A context in which a pager shows what was found: Ctrl-C is for it, other signals end at once.

    Nothing can be lost any more: a report is printed last.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise Terminated(number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def start_without_signals(thread: threading.Thread) -> None:
    """Start a thread that gets no signal which the main thread waits for.

    The kernel may give a signal to any thread, if another one is pending for the main thread; that
    one then sleeps on, in a system call, and nobody handles the signal until it returns.
    """
    ours = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ours)
    try:
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class StopFlag:
    """Whether somebody asked the search to end; ``torn``: in the middle of a replay.

    ``hurried``: asked again, later: what can be done without is not begun any more.
    """

    def __init__(self) -> None:
        self.requested = False
        self.torn = False
        self.hurried = False
        self._since = 0.0

    def tear(self) -> None:
        """Note that a replay was cut off: nothing more may be asked of the recording."""
        self.requested = self.torn = True

    def __call__(self) -> bool:
        return self.requested

    @property
    def over(self) -> bool:
        """Whether nothing more may be run."""
        return self.torn or self.hurried

    def signalled(self) -> None:
        """Take note of a signal; KeyboardInterrupt where that may cut something off."""
        now = time.monotonic()
        if not self.requested:
            self.requested, self._since = True, now
        elif now - self._since >= GRACE:
            self.hurry()
            _DEVICE.interrupt()

    def hurry(self) -> None:
        """Cut off the search, and its test, by KeyboardInterrupt; no other test is begun."""
        self.hurried = True
        _SEARCH.interrupt()


class _CutOff:
    """How many contexts the main thread is in whose content may be cut off."""

    depth = 0
    _cut = 0

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            self.depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if threading.current_thread() is threading.main_thread():
            self.depth = max(0, self.depth - 1)

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt if it may be cut off."""
        if self.depth:
            self._cut, self.depth = self.depth, 0  # it may be in __enter__, and __exit__ never come
            raise KeyboardInterrupt

    def go_on(self) -> None:
        """What was raised has reached nobody: it may be cut off as before."""
        self.depth, self._cut = self.depth or self._cut, 0


_SEARCH = _CutOff()
_DEVICE = _CutOff()


def cut_off_search() -> _CutOff:
    """A context of a search, or of a test, which is cut off after :data:`LAST_TEST_SECONDS`."""
    return _SEARCH


def cut_off_device() -> _CutOff:
    """The same of writing to a device, which only a deliberate second signal cuts off."""
    return _DEVICE


class CutOff(BaseException):
    """Time is over: as an end of the command, it is none of the errors that somebody handles."""


RING_SECONDS = 0.05
"""After which an alarm rings again, as long as it is held back or was ignored."""


class _Raising:
    """Raises errors in handlers of signals, and notices when nobody gets to see them.

    Python ignores what is raised while it runs a finalizer, or a callback of its collector.

    Args:
        ignored: called when that has happened to the last error.
    """

    def __init__(self, ignored: Callable[[], object]) -> None:
        self._ignored = ignored
        self._hook: Callable[[sys.UnraisableHookArgs], object] | None = None
        self.error: BaseException | None = None

    def begin(self) -> None:
        self._hook, sys.unraisablehook = sys.unraisablehook, self._hear

    def end(self) -> None:
        self.error = None  # it holds all frames
        if self._hook is not None:
            sys.unraisablehook, self._hook = self._hook, None

    def _hear(self, told: sys.UnraisableHookArgs) -> None:
        if self.error is not None and told.exc_value is self.error:
            self._ignored()
        elif self._hook is not None:
            self._hook(told)


class Alarm:
    """A context that is cut off by an error after so many seconds, but where it is held back.

    It is for what computes, and looks at no clock.  Only in the main thread, as signals are
    handled there, and only where SIGALRM has no other use; elsewhere nothing is cut off.

    Args:
        seconds: from entering; infinite, or None: never.
        error: makes what is raised.
    """

    def __init__(self, seconds: float | None, error: Callable[[], BaseException]) -> None:
        self._seconds = math.inf if seconds is None else seconds
        self._error = error
        self._set = False
        self._held = 0
        self._raising = _Raising(self._ring_again)

    def __enter__(self) -> Self:
        if (
            not math.isinf(self._seconds)
            and threading.current_thread() is threading.main_thread()
            and self._is_free(signal.getsignal(signal.SIGALRM))
        ):
            signal.signal(signal.SIGALRM, self._ring)
            self._set = True
            self._raising.begin()
            signal.setitimer(signal.ITIMER_REAL, max(0.001, self._seconds), RING_SECONDS)
        return self

    def __exit__(self, *error: object) -> None:
        self._set = False
        self._raising.end()
        if signal.getsignal(signal.SIGALRM) == self._ring:  # else a command is asked to end
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """A context in the main thread, as that of a test, which must not be torn apart."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    @staticmethod
    def _is_free(handler: object) -> bool:
        """Whether nobody waits for SIGALRM: an end of a command leaves that of an alarm behind."""
        spent = getattr(handler, "__self__", None)
        return handler is signal.SIG_DFL or (isinstance(spent, Alarm) and not spent._set)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._set and not self._held:
            self._set = False
            self._raising.error = self._error()
            raise self._raising.error

    def _ring_again(self) -> None:
        self._set = True


class OrderlyEnd:
    """The handler of a command's signals, while the command runs.

    ``flag`` is that of the search, once there is one; ``number`` the signal that asked it to end,
    if it was not SIGINT.

    Args:
        at_once: SIGTERM and SIGHUP end searches, too: nobody is there any more to tell the result.
        interrupts: SIGINT belongs to them; else it is left to whoever knows what to do with it.
        final: the process ends with the command: one Ctrl-C too many must not change its status.
    """

    def __init__(
        self, *, at_once: bool = False, interrupts: bool = False, final: bool = False
    ) -> None:
        self.interrupts = interrupts
        self.final = final
        self.at_once = at_once
        self.flag: StopFlag | None = None
        self.number: int | None = None
        self._before: dict[int, object] = {}
        self._raising = _Raising(self._raise_again)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        try:
            self._handle(number)
        except BaseException as error:
            self._raising.error = error
            raise

    def _handle(self, number: int) -> None:
        if number == signal.SIGALRM and self.flag is None and self._raising.error is not None:
            raise self._raising.error
        if self.flag is not None:
            if number == signal.SIGALRM:
                self.flag.hurry()
                return
            if number != signal.SIGINT and not self.flag.requested:
                self.number = number
            if signal.SIGALRM not in self._before:
                self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self)
                signal.setitimer(signal.ITIMER_REAL, LAST_TEST_SECONDS)
            self.flag.signalled()
        else:
            if number == signal.SIGINT:
                _OFFER.on_interrupt()
                if _OFFER.just_taken:
                    return
            for each in self._before:  # cleaning up must not be cut short by a second signal
                signal.signal(each, signal.SIG_IGN)
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)

    def __enter__(self) -> OrderlyEnd:
        if threading.current_thread() is threading.main_thread():  # others may set no handlers
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                    self._before[number] = signal.signal(number, self)
            if self.interrupts and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._before[signal.SIGINT] = signal.signal(signal.SIGINT, self)
            self._raising.begin()
        return self

    def _raise_again(self) -> None:
        """Raise what nobody has seen once more, in a moment."""
        _SEARCH.go_on()
        _DEVICE.go_on()
        before = signal.signal(signal.SIGALRM, self)
        self._before.setdefault(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, RING_SECONDS)

    def __exit__(self, *error: object) -> None:
        self._raising.end()
        if signal.SIGALRM in self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            ignored = self.final and number == signal.SIGINT
            signal.signal(number, signal.SIG_IGN if ignored else handler)  # type: ignore[arg-type]


class _Stopping:
    """The handler of Ctrl-C outside of a command, while there is something to keep."""

    def __init__(self, flag: StopFlag) -> None:
        self.flag = flag

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.flag.signalled()


@contextmanager
def stop_on_interrupt() -> Iterator[StopFlag]:
    """A flag that the first Ctrl-C raises.

    The first waits for the test that is running, so that no replay is torn apart.  Within a
    command it waits for LAST_TEST_SECONDS, and SIGTERM and SIGHUP do the same.
    Elsewhere, one such context within another one has the same flag.
    Where the handler is not Python's own, or this is not the main thread, nothing is changed.
    """
    flag = StopFlag()
    if threading.current_thread() is not threading.main_thread():
        yield flag
        return
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):  # some may be ignored
        command = signal.getsignal(number)
        if isinstance(command, OrderlyEnd) and not command.at_once:
            if command.flag is not None and command.flag.requested:
                flag.requested = True  # of an earlier search: what follows is not wanted either
            command.flag = flag  # from now on there is something to keep, until the command ends
            yield flag
            return
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler:
        yield handler.flag if isinstance(handler, _Stopping) else flag
        return
    signal.signal(signal.SIGINT, _Stopping(flag))
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)

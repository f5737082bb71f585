"""One process for many runs: after each of them, it is put back to what it was before, bit by bit.

A fork of a large process, its end, and copies of the pages that it writes to take longer than a
short test.  So a *worker* is forked once, and of it a *template*, which is stopped before it does
anything, and never runs.  After a run, the pages that the worker has written to (the kernel keeps
account of them: ``PAGEMAP_SCAN``) get the template's content, and its registers the template's
values: it is what it was then.

What the kernel knows of a process is not put back, so a filter of system calls ends a worker before
it changes any of that: writes a file, maps memory, handles a signal.  Such a run is made again, in
a process of its own.  Files may be read; what a run has left open is closed.  Only where Linux (6.7
and later) can do that, on x86-64.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # as the server has it
import fcntl
import os
import select
import struct
import time

from ..process.descriptors import FIRST_OF_OURS, LAST_OF_OURS, is_regular, moved
from ..process.progress import state_of
from ..process.server import fork, stand_alone
from .calls import CLOSE, LIBC, PREADV, address, array, buffer, filtered, words
from .originals import PAGE, Originals, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

ORDERS, SINK, ORIGINALS = 241, 242, 243
"""Descriptors of a worker: of where it hears which run to make, tells what came of it, and finds
what it was."""

TAIL = struct.Struct("i")
"""Behind what a run tells: its exit status."""

_SIZE = struct.Struct("Q")
_RANGE = struct.Struct("QQQ")  # where it begins and ends, and what it is
_CLONE, _CLONE_PARENT, _SIGCHLD = 56, 0x8000, 17
_USERFAULTFD, _USER_MODE_ONLY = 323, 1
_API, _REGISTER, _SCAN = 0xC018AA3F, 0xC020AA00, 0xC0606610
_FEATURES = 1 << 15 | 1 << 13 | 1  # WP_ASYNC, WP_UNPOPULATED, PAGEFAULT_FLAG_WP
_PROTECT = 1  # flag of a scan
_ALLOWED, _WRITTEN = 1, 2  # categories of pages
_SEIZE, _INTERRUPT, _DETACH, _STEP, _PEEK = 0x4206, 0x4207, 17, 9, 3
_GETREGSET, _SETREGSET = 0x4204, 0x4205
_GETEVENTMSG = 0x4201
_TRACE_FORK, _EXIT_KILL, _EVENT_FORK = 1 << 1, 1 << 20, 1
_GENERAL, _EXTENDED = 1, 0x202  # sets of registers
_REGISTERS = 27  # general ones; of them:
_R10, _R8, _RAX, _RDX, _RSI, _RDI, _CALL, _RIP = 7, 9, 10, 12, 13, 14, 15, 16
_SYSCALL = b"\x0f\x05"
_WALL = 0x40000000
_ITS_TIME = 2  # of the clocks of a process, as the kernel numbers them
_TRIM, _PAD, _LARGE = -1, -2, -3  # options of malloc
MOST_RANGES = 1000
"""The kernel takes 1024 at a time."""

SPARE = 8 << 20

SETTLED, SOON, OFTEN = 4, 24, 96
"""Runs after which it is found out, at first and then again, what a run writes to; again so soon
only if pages have become twice as many."""

_STOPPED = 0x7F


def reserve() -> None:
    """Have memory at hand, so that short runs need not ask the kernel for more."""
    if LIBC is None:
        return
    for option, size in ((_TRIM, 4 * SPARE), (_LARGE, 2 * SPARE), (_PAD, SPARE)):
        LIBC.mallopt(option, size)
    LIBC.free(LIBC.malloc(SPARE))
    some = [bytes(400) for _ in range(5000)]
    _KEPT.extend(some[::500])  # so that the arenas that they are in stay


_KEPT: list[bytes] = []


def with_room(action: Callable[[], object]) -> None:
    """Do something with memory for its frames at hand: half a million bytes of it.

    The interpreter asks the kernel for 16 KB of it at a time, as calls go deeper, or for what one
    frame needs, rounded up to a power of two; so ours needs a little more than half.
    """
    action()


with_room.__code__ = with_room.__code__.replace(co_stacksize=(1 << 16) + (1 << 10))


class Worker:
    """In the process that has forked it: ``process`` makes runs, ``template`` is what it was."""

    def __init__(self, originals: Originals | None = None) -> None:
        """Fork it; in the worker itself, returns for each run, with ``order`` set: what it is.

        ``originals``: of the worker before, which has ended.  Raises Unfit where that cannot be
        done.
        """
        if LIBC is None:
            raise Unfit
        self._originals = originals or Originals()
        self._originals.clear()
        self.order: bytes | None = None
        self._runs = self._since = self._few = 0
        self._anew = False
        self._written = b""
        self._ranges: set[tuple[int, ...]] = set()
        self._hot: set[int] = set()
        self._halted = False
        self.template = -1
        # Input that is a file may be read: it is open once for the worker and who has forked it.
        self._place = os.lseek(0, 0, os.SEEK_CUR) if is_regular(0) else -1
        out, self._orders = os.pipe()
        self.reader, told = os.pipe()
        self.process = fork()
        if self.process == 0:
            try:
                self._work(out, told)
                return
            except Exception:
                os._exit(1)
        os.close(out)
        os.close(told)
        self.reader, self._orders = moved(self.reader, self._orders)
        self.exited = self._pages = -1
        self._descriptors = f"/proc/{self.process}/fd"
        try:
            (self.exited,) = moved(os.pidfd_open(self.process))
            self._meet()
        except (Unfit, OSError):
            self.end()
            raise Unfit from None

    # --- in the worker

    def _work(self, out: int, told: int) -> None:
        """Make a template, and wait to be made as it is."""
        stand_alone()
        os.dup2(out, ORDERS, False)
        os.dup2(told, SINK, False)
        os.dup2(self._originals.number, ORIGINALS, False)
        for each in (out, told, self._orders, self.reader):
            os.close(each)
        os.closerange(FIRST_OF_OURS, LAST_OF_OURS)
        faults = int(
            LIBC.syscall(_USERFAULTFD, os.O_CLOEXEC | os.O_NONBLOCK | _USER_MODE_ONLY, 0, 0, 0, 0)
        )
        if faults < 0:
            raise OSError
        (faults,) = moved(faults)
        fcntl.ioctl(faults, _API, bytearray(struct.pack("QQQ", 0xAA, _FEATURES, 0)))
        own = []
        for first, last, _ in list(_maps(os.getpid())):
            request = bytearray(struct.pack("QQQQ", first, last - first, 2, 0))
            try:
                fcntl.ioctl(faults, _REGISTER, request)
            except OSError:
                continue  # it is gone, or else the worker will not do
            own.append((first, last))
        pages = os.open("/proc/self/pagemap", os.O_RDONLY)
        _written(pages, own[0][0], own[-1][1], _PROTECT)
        os.close(pages)
        found = struct.pack(f"{2 * len(own)}Q", *(bound for each in own for bound in each))
        os.read(ORDERS, 1)
        template = int(LIBC.syscall(_CLONE, _CLONE_PARENT | _SIGCHLD, 0, 0, 0, 0))
        if template:
            files = () if self._place < 0 else (0,)
            if template < 0 or not filtered(ORDERS, SINK, ORIGINALS, files):
                raise OSError
            os.write(SINK, found)
        # What comes here is a worker, made as the template is: once for each run.
        (left,) = _SIZE.unpack(os.read(ORDERS, _SIZE.size))
        order = os.read(ORDERS, left)
        while len(order) < left:
            order += os.read(ORDERS, left - len(order))
        self.order = order

    def stop(self, status: int) -> None:
        """A run has ended, and has told what came of it: all of it is to be forgotten."""
        os.write(SINK, TAIL.pack(status))
        while True:
            os.read(ORDERS, 1)  # none comes before it is put back

    # --- outside

    def _meet(self) -> None:
        """Wait until there is a template, and see that it has no memory we do not know of."""
        self._make_template()
        message = os.read(self.reader, 1 << 16)
        if not message:
            raise Unfit
        bounds = struct.unpack(f"{len(message) // 8}Q", message)
        known = dict(zip(bounds[::2], bounds[1::2], strict=True))
        here = {first: (last, rights) for first, last, rights in _maps(self.process, True)}
        for first, last, rights in _maps(self.template, True):
            if here.get(first) != (last, rights):
                raise Unfit
            ours = any(a <= first and last <= z for a, z in known.items())
            if rights and not ours and not _droppable(self.template, first):
                raise Unfit
        self._first, self._last = bounds[0], bounds[-1]
        (self._pages,) = moved(os.open(f"/proc/{self.process}/pagemap", os.O_RDONLY))
        self._open = {*os.listdir(self._descriptors)}
        self._registers: list[tuple[int, int]] = []
        self._known: list[Any] = []
        for kind in (_GENERAL, _EXTENDED):
            data = buffer(1 << 14)
            vector = array(address(data), 1 << 14)
            if LIBC.ptrace(_GETREGSET, self.template, kind, address(vector)) < 0:
                raise Unfit
            self._registers.append((kind, address(vector)))
            self._known += [data, vector]
        self._put_in_mind()

    def _put_in_mind(self) -> None:
        """Have registers at hand with which the worker makes a system call, as the template did."""
        data = self._known[0]
        held = words(address(data), _REGISTERS)
        code, place = buffer(2), held[_RIP] - len(_SYSCALL)
        here, there = array(address(code), 2), array(place, 2)
        found = LIBC.process_vm_readv(self.template, address(here), 1, address(there), 1, 0)
        if found != 2 or code[:2] != _SYSCALL:
            raise Unfit
        self._call = array(*held)
        self._call[_RIP], self._call[_CALL] = place, (1 << 64) - 1
        self._call[_R8] = 0
        self._calling = array(address(self._call), 8 * _REGISTERS)

    def _put_back(self) -> None:
        """Have the worker, which is stopped, read what it was: much quicker than to write there."""
        call = self._call
        if os.stat(self._descriptors).st_size != len(self._open):
            for number in {*os.listdir(self._descriptors)} - self._open:
                call[_RAX], call[_RDI] = CLOSE, int(number)
                self._have_call(0)
        call[_RAX], call[_RDI] = PREADV, ORIGINALS
        for count, table, offset, total in self._originals.reads:
            call[_RSI], call[_RDX], call[_R10] = table, count, offset
            self._have_call(total)

    def _have_call(self, result: int) -> None:
        """Have the worker, which is stopped, make a system call.  Raises Unfit if it fails."""
        told = array(0)
        if LIBC.ptrace(_SETREGSET, self.process, _GENERAL, address(self._calling)) < 0:
            raise Unfit
        if LIBC.ptrace(_STEP, self.process, 0, 0) < 0:
            raise Unfit
        if LIBC.waitpid(self.process, address(told), _WALL) != self.process:
            raise Unfit
        if told[0] & 0xFFFF != signal.SIGTRAP << 8 | _STOPPED:
            raise Unfit
        if LIBC.ptrace(_PEEK, self.process, 8 * _RAX, 0) != result:
            raise Unfit

    def _make_template(self) -> None:
        """Have the worker fork it: a process that we trace, and that stands before it begins.

        It must not do anything: what it wrote to is not known.
        """
        told = array(0)
        if LIBC.ptrace(_SEIZE, self.process, 0, _TRACE_FORK | _EXIT_KILL) < 0:
            raise Unfit
        os.write(self._orders, b".")
        if LIBC.waitpid(self.process, address(told), _WALL) != self.process:
            raise Unfit
        if LIBC.ptrace(_GETEVENTMSG, self.process, 0, address(told_of := array(0))) < 0:
            raise Unfit
        if told[0] >> 8 != signal.SIGTRAP | _EVENT_FORK << 8:
            raise Unfit
        self.template = told_of[0]
        if LIBC.waitpid(self.template, 0, _WALL) != self.template:
            raise Unfit
        if LIBC.ptrace(_DETACH, self.process, 0, 0) < 0:
            raise Unfit

    def begin(self, order: bytes) -> None:
        """Have it make a run, as if none had been before.

        Raises Unfit where it cannot be put back, OSError if it is gone.
        """
        if self._place >= 0:
            os.lseek(0, self._place, os.SEEK_SET)
        if not self._halted:
            _attach(self.process)
        self._halted = False
        if self._runs == 0 and self._originals.usual:
            self._guess()
        written = _written(self._pages, self._first, self._last)
        if self._anew:
            self._forget()
        if self._anew or written != self._written:
            self._know(written)
        if self._anew:
            self._originals.usual = _stretches(sorted(self._hot))
            self._few, self._since = len(self._hot), self._runs
            self._originals.settle()
        self._runs += 1
        self._anew = self._is_time()
        self._put_back()
        for kind, vector in self._registers:
            if LIBC.ptrace(_SETREGSET, self.process, kind, vector) < 0:
                raise Unfit
        if self._anew:  # all is as it was: what is written to from now on is known
            _written(self._pages, self._first, self._last, _PROTECT)
        if LIBC.ptrace(_DETACH, self.process, 0, 0) < 0:
            raise Unfit
        data = memoryview(_SIZE.pack(len(order)) + order)
        while data:
            data = data[os.write(self._orders, data) :]

    def _is_time(self) -> bool:
        """Whether to find out anew what a run writes to."""
        if not self._since:
            return self._runs >= SETTLED
        runs = self._runs - self._since
        return runs >= OFTEN or (runs >= SOON and len(self._hot) > 2 * self._few)

    @property
    def spent(self) -> float:
        """Seconds of a processor that it has used, for all runs; raises OSError if it is gone."""
        return time.clock_gettime(~self.process << 3 | _ITS_TIME)

    @property
    def waits(self) -> bool:
        """Whether it waits for something: not merely for a processor, which others may have.

        Raises OSError if it is gone.
        """
        return state_of(f"/proc/{self.process}") != "R"

    def halt(self) -> None:
        """Stop it, wherever it is: it goes on with the next run.  Raises Unfit."""
        _attach(self.process)
        self._halted = True
        poll = select.poll()
        poll.register(self.reader, select.POLLIN)
        while poll.poll(0) and os.read(self.reader, 1 << 16):
            pass  # what it has told

    def _guess(self) -> None:
        """Take it that the same pages will be written to as by the worker before."""
        stretches = self._originals.usual
        try:
            self._originals.keep(self.template, stretches)
        except Unfit:  # memory is not what it was
            self._forget()
            return
        for first, size in zip(stretches[::2], stretches[1::2], strict=True):
            self._hot.update(range(first, first + size, PAGE))

    def _know(self, written: bytes) -> None:
        """Pages have been written to that were not before: keep what the template has there.

        They are not protected again but now and then: most runs write to the same ones.
        """
        self._written = written
        hot = self._hot
        found = set(_RANGE.iter_unpack(written))
        new = sorted(found - self._ranges)
        fresh = [
            page for first, last, _ in new for page in range(first, last, PAGE) if page not in hot
        ]
        self._ranges |= found
        if fresh:
            hot.update(fresh)
            self._originals.keep(self.template, _stretches(fresh))

    def _forget(self) -> None:
        """Know of no page that it has been written to."""
        self._hot.clear()
        self._ranges.clear()
        self._originals.clear()

    def end(self) -> None:
        """End it, and its template."""
        for each in (self.process, self.template):
            if each > 0:
                try:
                    os.kill(each, signal.SIGKILL)
                    os.waitpid(each, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass  # it has been waited for
        for descriptor in (self.reader, self._orders, self.exited, self._pages):
            if descriptor >= 0:
                os.close(descriptor)


def _attach(process: int) -> None:
    """Stop a process, wherever it is, and be what traces it."""
    told = array(0)
    if LIBC.ptrace(_SEIZE, process, 0, 0) < 0 or LIBC.ptrace(_INTERRUPT, process, 0, 0) < 0:
        raise Unfit
    if LIBC.waitpid(process, address(told), _WALL) != process or told[0] & 0xFF != _STOPPED:
        raise Unfit


def _stretches(pages: list[int]) -> list[int]:
    """Where pages in a row begin, and how many bytes they have, by turns."""
    found: list[int] = []
    for page in pages:
        if found and found[-2] + found[-1] == page:
            found[-1] += PAGE
        else:
            found += page, PAGE
    return found


def _maps(process: int, all_of_them: bool = False) -> Iterator[tuple[int, int, bool]]:
    """Memory of a process but its stack, which grows: bounds, and whether it is its own to write.

    The stack is one of those that are writable, unless ``all_of_them`` are asked for.
    """
    with open(f"/proc/{process}/maps", "rb") as stream:
        lines = stream.read().splitlines()
    for line in lines:
        bounds, rights, _, _, _, *name = line.split(None, 5)
        if name and (name[0].startswith(b"[v") or (all_of_them and name[0] == b"[stack]")):
            continue
        first, last = (int(each, 16) for each in bounds.split(b"-"))
        writable = rights.startswith(b"rw") and rights.endswith(b"p")
        if writable or all_of_them:
            yield first, last, writable


def _droppable(process: int, first: int) -> bool:
    """Whether memory may be empty at any time: the C library has random numbers in such."""
    start = f"{first:x}-".encode()
    found = False
    with open(f"/proc/{process}/smaps", "rb") as stream:
        for line in stream:
            found = found or line.startswith(start)
            if found and line.startswith(b"VmFlags:"):
                return b"dp" in line.split()
    return False


def _written(pages: int, first: int, last: int, flags: int = 0) -> bytes:
    """Where pages were written to since they were protected, as the kernel tells it."""
    found = buffer(24 * MOST_RANGES)
    told = b""
    while first < last:
        request = bytearray(
            struct.pack("12Q", 96, flags, first, last, 0, address(found), MOST_RANGES, 0, 0,
                        _ALLOWED | _WRITTEN, 0, _WRITTEN)
        )  # fmt: skip
        count = fcntl.ioctl(pages, _SCAN, request)
        told += found[: 24 * count]
        (first,) = struct.unpack_from("Q", request, 32)
        if count < MOST_RANGES:
            break
    return told

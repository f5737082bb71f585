"""A terminal for programs that insist on one, and somebody who types (``--tty``).

Standard input then is a script.  A line ``< TEXT`` waits until the program has written TEXT; a
line ``> TEXT`` types it, and the return key, which sends a carriage return, as keyboards do: the
line discipline makes a line feed of it, unless the program has asked for raw input.  After the last
line the input is at its end.  So it is for a program that reads before it has written what is
awaited: nobody answers what was not asked.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import termios
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pexpect
from pexpect.fdpexpect import fdspawn

from stripe.errors import UsageError

END, QUOTE = b"\x04", b"\x16"
"""What ends the input of a terminal that takes lines (^D), and what makes a character of it."""
ENDS_UNTIL_HANG_UP = 25
"""How often a program may read on after the end of its input before its line is cut."""
RETURN = b"\r"
PAUSE = 0.2  # seconds without output after which we look whether the program waits
LOCAL_MODES, CHARACTERS = 3, 6
"""Places in what :func:`termios.tcgetattr` gives."""
READ = 0
WAITS = {7: (1, 2, 0xFFFFFFFF), 23: (0, 4, 0), 270: (0, 4, 0), 271: (1, 2, 0)}
"""System calls (x86-64: poll, select, pselect6, ppoll) that wait for files: which argument is the
number of files, which is the limit of time, and what the latter is where there is none."""
ROWS, COLUMNS = 24, 80

type Script = Sequence[tuple[bool, bytes]]
"""What to await (false) and to type (true), in order."""


def read_script(text: bytes) -> Script:
    """Read a script.

    Raises:
        UsageError: ``bad-tty-script``: a line is neither empty, a comment (``#``), nor one of both.
    """
    script = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith(b"#"):
            continue
        if line[:1] not in (b"<", b">") or line[1:2] not in (b"", b" "):
            raise UsageError(
                "bad-tty-script",
                f"Line {number} of the input is {line[:60]!r}: with --tty, it has to say what is "
                "awaited and what is typed.",
                "Begin each line with '< ' (wait until the program has written this) or '> ' "
                "(type this), as in: --input $'< Name:\\n> Ada'",
            )
        script.append((line[:1] == b">", line[2:]))
    return script


class Terminal:
    """A pseudo-terminal for one run after the other.

    It does not echo, and leaves line ends as they are, so that what is seen is what the program
    wrote.

    - ``path``: what it is called here
    - ``descriptor``: what the program opens, as ``/proc/self/fd/N``: behind walls the path is
      another terminal's, or nobody's.  It is an ``O_PATH``, which does not keep the terminal open
    - ``missed``: what was awaited and never came, in the last run
    - ``hung_up``: whether the program went on reading after the end of its input, in the last run,
      until SIGHUP was sent to it; only with ``hangs_up``
    """

    def __init__(self, *, hangs_up: bool = False) -> None:
        self._hangs_up = hangs_up
        self._master, slave = os.openpty()
        self.path = os.ttyname(slave)
        self.descriptor = os.open(self.path, os.O_PATH)
        self.missed: bytes | None = None
        self.hung_up = False
        self._settings = termios.tcgetattr(slave)
        self._settings[1] &= ~termios.ONLCR
        self._settings[3] &= ~(termios.ECHO | termios.ECHOE | termios.ECHOK | termios.ECHOCTL)
        os.close(slave)

    def close(self) -> None:
        """Give it back."""
        os.close(self.descriptor)
        os.close(self._master)

    def _open(self) -> int:
        """Open it as the program will, in the state that each run finds."""
        slave = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        termios.tcflush(slave, termios.TCIOFLUSH)
        termios.tcsetattr(slave, termios.TCSANOW, self._settings)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        return slave

    def write(self, data: bytes) -> None:
        """Keep what the program wrote; pexpect calls this."""
        self._written += data[: max(0, self._limit - len(self._written))]

    def flush(self) -> None:
        """Part of what pexpect wants of a log."""

    @contextmanager
    def typing(self, script: Script, limit: int) -> Iterator[bytearray]:
        """Follow the script while in the context; what was written is complete after it.

        Of that, the first ``limit`` bytes are kept.
        """
        self._limit, self._written, self.missed = limit, bytearray(), None
        self.hung_up = False
        slave = self._open()
        talker = threading.Thread(target=self._talk, args=(script,), daemon=True)
        talker.start()
        try:
            yield self._written
        finally:
            # All that had it open is gone: now there is an end to read.
            os.close(slave)
            talker.join()

    def _talk(self, script: Script) -> None:
        other = fdspawn(self._master, maxread=1 << 16)
        other.logfile_read = self
        try:
            for typed, text in script:
                if typed:
                    other.send(text + RETURN)
                else:
                    self.missed = text
                    if not self._await(other, text):
                        break
                    self.missed = None
            for _ in range(ENDS_UNTIL_HANG_UP):  # each one ends one read only
                self._await(other, None)  # by now it has the mode that it reads in
                self._end_input(other)
            self._await(other, None)
            while self._hangs_up:
                self.hung_up = True
                os.killpg(os.tcgetpgrp(self._master), signal.SIGHUP)
                self._await(other, None)
            while True:
                other.expect_exact([pexpect.TIMEOUT], timeout=PAUSE)
        except (pexpect.EOF, OSError):
            pass  # it ended before the script did

    def _end_input(self, other: fdspawn) -> None:
        """Put the input at its end, where the program waits for it.

        In raw mode ^D is a character like others, and a read that waits there only ends by one: so
        that is what it gets.  From then on the terminal takes lines, and each read is at the end.
        """
        settings = termios.tcgetattr(self._master)  # those of the program's side
        raw = not settings[LOCAL_MODES] & termios.ICANON
        if raw:
            settings[LOCAL_MODES] |= termios.ICANON | termios.IEXTEN
            settings[CHARACTERS][termios.VEOF] = END
            settings[CHARACTERS][termios.VLNEXT] = QUOTE
            termios.tcsetattr(self._master, termios.TCSANOW, settings)
        other.send(QUOTE + END + END if raw else settings[CHARACTERS][termios.VEOF])

    def _await(self, other: fdspawn, text: bytes | None) -> bool:
        """Read until ``text`` is there; false if the program waits for input instead."""
        wanted = [pexpect.TIMEOUT] if text is None else [pexpect.TIMEOUT, text]
        while not other.expect_exact(wanted, timeout=PAUSE):
            if self._reads():
                # All it has written before is there now.
                return bool(other.expect_exact(wanted, timeout=PAUSE))
        return True

    def _reads(self) -> bool:
        """Whether the program waits for this terminal, in a read or for as long as it takes."""
        try:
            place = Path(f"/proc/{os.tcgetpgrp(self._master)}")
            call, *words = (place / "syscall").read_text("ascii").split()
            number, given = int(call), [int(word, 16) for word in words]
            if number in WAITS:
                files, limit, none = WAITS[number]
                return given[files] > 0 and given[limit] & (none or ~0) == none
            opened = os.readlink(place / "fd" / str(given[0]))
        except (OSError, ValueError, IndexError):
            return False  # it runs, or is gone
        return number == READ and opened in (self.path, "/dev/tty")

"""One traced process with breakpoints in it: how it is started, stopped, changed and ended."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from ..inside.clean_up import BEFORE
from ..inside.poison import Span, libc
from . import hooks, system
from .layout import Code
from .system import Registers, ptrace

AT_ENTRY, PAGE, WORD = 9, 4096, 8
MMAP, PRIVATE_ANONYMOUS, FIXED_NOREPLACE = 9, 0x4022, 0x100000  # and no space reserved
READ_WRITE, READ_WRITE_EXECUTE = 3, 7
SYSCALL_INSTRUCTION = b"\x0f\x05"
FORBIDDEN = 126
BREAKPOINT_HIT = signal.SIGTRAP << 8 | 0x7F
"""The wait status of a process that has come to a breakpoint."""


class Ended(Exception):
    """The process ended, with this wait status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Process:
    """A tracee that is stopped, or waited for.

    ``code`` is the program's, ``libraries`` that of shared libraries that are mapped, by number;
    ``detours`` are those of both, ``gated`` says whether there are copies with gates.  ``notice``
    is where the dynamic linker tells that it maps or unmaps libraries; 0 if nobody listens.
    """

    def __init__(self, number: int, code: Code) -> None:
        self.number = number
        self.code = code
        self.libraries: dict[int, Code] = {}
        self.registers = Registers()
        self._place = ctypes.addressof(self.registers)
        self._memory = -1
        self._writable = True
        self._gate = 0
        self.detours: Mapping[int, int] = {}
        self.gated = False
        self.notice = 0
        self.routine = hooks.TRAP

    def fork(self, number: int) -> Process:
        """A process that was forked from it: what is in the memory of both is the same."""
        found = Process(number, self.code)
        found.libraries, found.detours = dict(self.libraries), self.detours
        found.gated, found.notice, found.routine = self.gated, self.notice, self.routine
        return found

    @property
    def codes(self) -> Sequence[Code]:
        """All code that has breakpoints."""
        return [self.code, *self.libraries.values()]

    def code_at(self, address: int) -> Code:
        """The code that an instruction belongs to; the program's if it is no other's."""
        return next((each for each in self.libraries.values() if address in each), self.code)

    def resume(self, request: int, deliver: int = 0) -> None:
        """Let it go on, with a signal."""
        try:
            ptrace(request, self.number, 0, deliver)
        except ProcessLookupError:
            pass  # killed while it was stopped; to be waited for

    def wait(self) -> int:
        """Wait for its next stop; the wait status.  Raises :class:`Ended`."""
        status = os.waitpid(self.number, system.WALL)[1]
        if not os.WIFSTOPPED(status):
            self.close()
            raise Ended(status)
        return status

    def load_registers(self) -> Registers:
        ptrace(system.GETREGS, self.number, 0, self._place)
        return self.registers

    def store_registers(self) -> None:
        ptrace(system.SETREGS, self.number, 0, self._place)

    def set_floats(self, value: int) -> None:
        """Give the first two vector registers a value, at once."""
        floats = system.Floats()
        place = ctypes.addressof(floats)
        ptrace(system.GETFPREGS, self.number, 0, place)
        floats.vectors[0] = floats.vectors[2] = value
        ptrace(system.SETFPREGS, self.number, 0, place)

    def put_registers(self, values: bytes) -> None:
        """Set :attr:`registers`; to be stored."""
        ctypes.memmove(self._place, values, len(values))

    @property
    def memory(self) -> int:
        """A descriptor of its memory."""
        if self._memory < 0:
            path = f"/proc/{self.number}/mem"
            try:
                self._memory = os.open(path, os.O_RDWR)
            except PermissionError:  # Landlock: no file outside may be written, not even this one
                self._memory = os.open(path, os.O_RDONLY)
                self._writable = False
        return self._memory

    def close(self) -> None:
        if self._memory >= 0:
            os.close(self._memory)
            self._memory = -1

    def become(self) -> None:
        """Let a shell go on until it has become the program."""
        ptrace(system.SETOPTIONS, self.number, 0, system.EXITKILL | 1 << system.EXEC)
        status = 0
        while status >> 16 != system.EXEC:
            self.resume(system.CONT, status >> 8 if status else 0)
            status = self.wait()
        self.resume(system.SYSCALL)  # to the end of that call
        self.wait()

    def kill(self) -> None:
        """End it; all its traces are gone then."""
        try:
            while True:
                os.kill(self.number, signal.SIGKILL)
                self.wait()
                self.resume(system.CONT)  # it stops as it ends, too
        except (Ended, ProcessLookupError):
            pass
        self.close()

    def write(self, address: int, data: bytes) -> None:
        memory = self.memory
        if self._writable:
            os.pwrite(memory, data, address)
            return
        first, last = address // WORD * WORD, -(-(address + len(data)) // WORD) * WORD
        old = os.pread(memory, last - first, first)
        new = old[: address - first] + data + old[address - first + len(data) :]
        for offset in range(0, len(new), WORD):
            word = new[offset : offset + WORD]
            if word != old[offset : offset + WORD]:
                ptrace(system.POKE, self.number, first + offset, int.from_bytes(word, "little"))

    def arm(self, on: bool = True) -> None:
        """Have breakpoints in its memory, or none."""
        for code in self.codes:
            if code.addresses:
                self.write(code.low, self.armed(code) if on else code.original)
        if self.gated:
            self.pass_by(self.routine if on else hooks.GO_ON, keep=True)

    def armed(self, code: Code) -> bytes:
        """Code with breakpoints in it."""
        return code.patched if self.gated else code.stepped

    def pass_by(self, routine: int, *, keep: bool = False) -> None:
        """Have gates lead to one of their routines, from now on (or for a while: ``keep``)."""
        if not keep:
            self.routine = routine
        start = self.code.area.start
        self.put(start + hooks.COMMON, struct.pack("<Q", start + routine))

    def put(self, address: int, data: bytes | memoryview) -> None:
        """Write what is no code of the program's; a part of an array is not copied before."""
        here: Any
        if isinstance(data, bytes):
            here = ctypes.create_string_buffer(data, len(data))
        else:
            here = ctypes.c_char.from_buffer(data)
        one = Span(ctypes.addressof(here), len(data))
        other = Span(address, len(data))
        size = libc.process_vm_writev(self.number, ctypes.byref(one), 1, ctypes.byref(other), 1, 0)
        if size != len(data):
            raise OSError("its memory cannot be written")

    def call(self, number: int, *arguments: int) -> int:
        """Have it make a system call; its result."""
        before = bytes(self.load_registers())
        self.prepare_call(number, *arguments)
        self.resume(system.STEP)
        self.wait()
        result = ctypes.c_long(self.load_registers().rax).value
        self.put_registers(before)
        self.store_registers()
        return result

    def prepare_call(self, number: int, *arguments: int) -> None:
        """Have a system call be the next instruction."""
        registers = self.registers
        if not self._gate:
            self._gate = self._system_call()
        registers.rip, registers.rax = self._gate, number
        registers.orig_rax = (1 << 64) - 1  # not in a system call that could be restarted
        for name, value in zip(("rdi", "rsi", "rdx", "r10", "r8", "r9"), arguments, strict=False):
            setattr(registers, name, value)
        self.store_registers()

    def _system_call(self) -> int:
        """The address of an instruction that makes a system call, in a library or the vDSO."""
        for low, high, access, _ in reversed(self.mappings()):
            if access.startswith("r-x"):
                try:
                    found = os.pread(self.memory, high - low, low).find(SYSCALL_INSTRUCTION)
                except OSError:
                    continue  # [vsyscall] is nobody's memory
                if found >= 0:
                    return low + found
        raise OSError("no system call instruction")

    def mappings(self) -> list[tuple[int, int, str, str]]:
        """Its memory: from, to, access, name."""
        found = []
        with open(f"/proc/{self.number}/maps", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                span, access, _, _, _, *name = line.split()
                low, high = span.split("-")
                found.append((int(low, 16), int(high, 16), access, "".join(name)))
        return found

    def entry(self) -> int:
        """The address at which the program begins, once its libraries are there."""
        with open(f"/proc/{self.number}/auxv", "rb") as stream:
            values: dict[int, int] = dict(struct.iter_unpack("QQ", stream.read()))
        return values[AT_ENTRY]

    def lay_out(self, code: Code) -> None:
        """Put breakpoints and detours into its memory.  Without room, there are no detours."""
        if not code.addresses:
            return
        if not code.patched:
            code.read(self.memory)
        area = code.area
        laid_out = not self.detours.keys().isdisjoint(code.detours)  # it was mapped before
        if not laid_out and self.map(area.start, len(area), READ_WRITE_EXECUTE):
            if not code.gates or self.map(hooks.BUFFER, hooks.WHOLE, READ_WRITE):
                self.put(area.start, code.laid_out)
                self.detours = {**self.detours, **code.detours}
                self.gated = self.gated or bool(code.gates)
            if code.gates and self.gated:
                self.put(hooks.NEVER_AT, hooks.NEVER)
                ptrace(system.SETOPTIONS, self.number, 0, system.OPTIONS | 1 << system.EXIT)
        self.write(code.low, self.armed(code))
        if code.gates and self.gated:
            self.pass_by(self.routine, keep=True)

    def forget(self, number: int) -> None:
        """A shared library is about to be unmapped, with the breakpoints in it."""
        code = self.libraries.pop(number)
        self.write(code.low, code.original)

    def map(self, start: int, size: int, access: int) -> bool:
        """Have memory there; whether it could be had."""
        how = PRIVATE_ANONYMOUS | FIXED_NOREPLACE
        return self.call(MMAP, start, size, access, how, (1 << 64) - 1, 0) == start


def launch(
    command: list[str], streams: Sequence[str], job: Mapping[str, Any], code: Code
) -> Process:
    """Start a program as plain runs are; it has not executed anything yet.

    Without ``streams`` the command is that of a shell, which opens them and becomes the program.
    Raises :class:`Ended`, and OSError if that cannot be.
    """
    number = os.fork()
    if number == 0:
        try:
            system.libc.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            os.setpgid(0, 0)
            for each in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
                signal.signal(each, signal.SIG_DFL)
            for each, how in BEFORE.items():
                signal.signal(each, how)
            system.libc.personality(system.ADDR_NO_RANDOMIZE)
            os.chdir(job["directory"])
            for descriptor, path in enumerate(streams):
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if descriptor else os.O_RDONLY
                os.dup2(os.open(path, flags, 0o666), descriptor)
            try:
                ptrace(system.TRACEME, 0)
            except OSError:
                os._exit(FORBIDDEN)
            os.execve(command[0], command, job["environment"])
        finally:
            os._exit(127)
    process = Process(number, code)
    try:
        process.wait()
    except Ended as end:
        forbidden = os.WEXITSTATUS(end.status) == FORBIDDEN
        why = "ptrace: Operation not permitted" if forbidden else "the program cannot be started"
        raise OSError(why) from end
    try:
        if not streams:
            process.become()
        ptrace(system.SETOPTIONS, number, 0, system.OPTIONS)
        with open(f"/proc/{number}/exe", "rb") as stream:
            if process.entry() != job["bias"] + struct.unpack_from("<Q", stream.read(32), 24)[0]:
                raise OSError("Cannot insert breakpoints: the program is at a random address")
        process.lay_out(code)
    except BaseException:
        process.kill()
        raise
    return process

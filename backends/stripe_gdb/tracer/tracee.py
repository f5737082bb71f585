"""What recorder and replayer know of the program that the ptrace engine runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import system
from .process import Process


class Stop:
    """A breakpoint at the first instruction of a block."""

    __slots__ = ("block", "entry", "epilogue", "function")

    def __init__(self, block: int, function: int, entry: bool, epilogue: bool) -> None:
        self.block = block
        self.function = function
        self.entry = entry
        self.epilogue = epilogue


class Tracee:
    """What recorder and replayer know of the program: its blocks, and the registers at a stop."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.blocks = job["blocks"]
        self.addresses = [block[0] for block in self.blocks]
        self.main = job["main"]
        self.probes_at = [()] * len(self.blocks)
        self.registers = system.Registers()
        self.process: Process | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self.process is not None
        return self.process.number

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the program's memory."""
        assert self.process is not None
        return os.pread(self.process.memory, size, address)

    def get(self, register: str) -> int:
        value: int = getattr(self.registers, register)
        return value

    def set(self, register: str, value: int) -> None:
        setattr(self.registers, register, value)

    def set_result(self, value: int) -> None:
        """Change what a function that is about to return gives its caller."""
        assert self.process is not None
        self.registers.rax = self.registers.rdx = value
        self.process.set_floats(value)

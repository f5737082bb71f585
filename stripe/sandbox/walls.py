"""Walls of the kernel around what runs in a scratch copy.

Nothing that runs behind walls can change anything outside of its scratch copy, whatever it tries;
``docs/safety.md`` says by which mechanism, on which kernels, and what is not covered.  The walls
are put up by ``inside/enter.py``, once for each process that is started here; what that process
forks is behind the same walls.
"""

from __future__ import annotations

import binascii
import marshal
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from stripe.errors import UsageError

ENTER = Path(__file__).parent / "inside" / "enter.py"

VARIABLE = "STRIPE_SANDBOX_LAYER"
"""The environment variable that forces a layer, by its value; for tests of the layers."""


class Layer(Enum):
    """What keeps a run from reaching outside."""

    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def described(self) -> str:
        """One line for people: the layer, and what it does not cover."""
        return _DESCRIBED[self]


_DESCRIBED = {
    Layer.NAMESPACES: "namespaces (files outside are copies, no network, processes of its own)",
    Layer.LANDLOCK: (
        "Landlock and seccomp (its own /tmp and /dev/shm, nothing else outside can be written; "
        "TCP among its own processes; processes outside can be seen)"
    ),
    Layer.NONE: "none",
}


@dataclass(frozen=True, slots=True)
class Walls:
    """Where a process may write, and what it sees.

    - ``root`` can be seen, ``home`` in it can be written; both have the same paths inside
    - ``room``: an empty folder in ``root``, not in ``home``, for the layer's own needs
    - ``work`` in ``home`` is what stands at ``directory`` inside, if that is not empty and the
      layer can do it; ``kept`` are folders below ``directory`` that ``work`` lacks: there has to be
      an empty one in their place
    - ``overlaid``: ``directory`` is an overlay, and ``work``, which is not in ``home``, has what a
      run has left in it; for the layer that can do it
    - ``network``: whether it may use the network of this machine
    """

    layer: Layer
    root: Path
    home: Path
    room: Path
    work: Path
    directory: str = ""
    kept: tuple[str, ...] = ()
    network: bool = False
    overlaid: bool = False

    def command(
        self,
        command: Sequence[str],
        at: Path | str,
        *,
        terminal: str = "",
        ours: bool = False,
        renews: bool = True,
    ) -> list[str]:
        """The command line that runs ``command`` behind the walls, in the folder ``at``.

        ``terminal`` is the path, to this command, of the one terminal it may open besides its own.
        One of ``ours`` is ``script``'s: it may run in the process that has put up the walls.
        One that ``renews`` the file tree after each run is told how (``inside/warden.py``).

        It takes over standard streams and inheritable descriptors, ends with the same status (of a
        signal: 128 more), and all of it ends when it is killed, or this process ends.
        """
        if self.layer is Layer.NONE:
            return list(command)
        self.room.mkdir(mode=0o700, exist_ok=True)
        self._denials.unlink(missing_ok=True)
        plan = {
            "room": str(self.room),
            "root": str(self.root),
            "home": str(self.home),
            "work": str(self.work),
            "directory": self.directory,
            "kept": self.kept,
            "overlaid": self.overlaid,
        }
        options = {
            "host": os.getpid(),
            "layer": self.layer.value,
            "network": self.network,
            "at": str(at),
            "terminal": terminal,
            "renews": renews,
            "script": len(script()) if ours else 0,
            "denials": str(self._denials),
            "plan": plan,
        }
        packed = binascii.b2a_base64(marshal.dumps(options), newline=False).decode("ascii")
        return script(ENTER, packed, *command)

    @property
    def _denials(self) -> Path:
        return self.room / "denied"

    def denied(self) -> list[str]:
        """What nothing but these walls denied the last command so far, in words for people.

        In namespaces nothing is: what is outside can be written, as a copy.
        """
        try:
            entries = self._denials.read_bytes().split(b"\0")
        except FileNotFoundError:
            return []
        words = (entry.partition(b" ") for entry in entries if entry)
        return [
            _DENIED[what.decode()].format(os.fsdecode(which).encode("utf-8", "replace").decode())
            for what, _, which in words
        ]


_DENIED = {
    "write": "to write {}",
    "change": "to change {}",
    "use": "to run or enter {}, which is its own",
    "socket": "a socket ({})",
    "call": "the system call {}",
    "unwatched": "what it did outside (a container's runtime answers its system calls already)",
}


def script(*words: Path | str) -> list[str]:
    """The command line of a script of ours, which needs the standard library only."""
    return [sys.executable, "-I", "-S", *map(str, words)]


def no_sandbox(what: str, why: str) -> UsageError:
    """The error for ``what`` needs a sandbox, where there is none; and ``why`` there is none."""
    return UsageError(
        "no-sandbox",
        f"{what}. That is safe in a sandbox only, and there is none here ({why}).",
        "A sandbox needs Linux 5.12 with unprivileged user namespaces (sysctl "
        "kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a "
        "container --security-opt seccomp=unconfined, with podman also unmask=ALL, with Docker "
        "systempaths=unconfined; user.max_user_namespaces above 0), or Linux 6.12 with Landlock. "
        "--unsafe goes on without: runs that go astray may then delete or change anything "
        "of yours.",
    )

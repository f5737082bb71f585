"""What the outcomes in a journal rest on, and whether that is still the same.

An outcome may be used again only if everything that its run could read is as it was: what the
recorded run read (:mod:`stripe.sandbox.reads`), the environment, the interpreter, the scripts that
judge.  The basis of a journal is written at its beginning.  It is not compared with that of the
new recording path by path: whether what the old one read is still the same is looked up, for a
program need not read the same files twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from stripe.sandbox.reads import ABSENT, LISTED, digest

SESSION = frozenset(
    {
        *("_", "OLDPWD", "PWD", "SHLVL", "TMPDIR", "COLUMNS", "LINES", "WINDOWID", "GPG_TTY"),
        *("TERM_SESSION_ID", "TMUX", "TMUX_PANE", "STY", "SSH_AUTH_SOCK", "SSH_AGENT_PID"),
        *("SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "XDG_SESSION_ID", "INVOCATION_ID"),
        *("DBUS_SESSION_BUS_ADDRESS", "JOURNAL_STREAM"),
    }
)
"""Variables that tell one terminal, or one call, from the next; whoever lost the connection shall
be able to resume.  TMPDIR and PWD are given to runs by us."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a search rests on.

    - ``facts``: short texts, by what they are about
    - ``reads``: the stamps of what was read, by path
    - ``unseen``: why it is not known what was read, if it is not
    - ``stamp`` makes the stamp of a path as it is now
    - ``ours``: files that we write ourselves (paths as in ``reads``), which may come and go
    """

    facts: Mapping[str, str] = field(default_factory=dict)
    reads: Mapping[str, str] = field(default_factory=dict)
    unseen: str = ""
    stamp: Callable[[str], str] = lambda path: ABSENT
    ours: frozenset[str] = frozenset()

    def line(self, subject: str) -> str:
        """The basis as one line, which begins with ``subject``."""
        return f"{subject} {json.dumps([self.facts, self.reads])}"

    def objection(self, line: str) -> str | None:
        """What has changed since ``line`` was written, in a few words; ``None``: nothing has.

        Raises:
            ValueError: when the line is no basis.
        """
        facts, reads = json.loads(line.partition(" ")[2])
        changed = [
            f"{path.rstrip(LISTED) or LISTED} {_how(old, new)}"
            for path, old in reads.items()
            if path not in self.ours
            and self._known(path, old) != self._known(path, new := self.stamp(path))
        ]
        # What is behind these follows from files, if files have changed.
        changed += [
            f"{label} {_how(facts.get(label, ABSENT), self.facts.get(label, ABSENT))}"
            for label in dict.fromkeys((*facts, *self.facts))
            if facts.get(label) != self.facts.get(label)
        ]
        if not changed:
            return None
        more = len(changed) - 1
        return changed[0] + (f", and {more} more" if more else "")

    def _known(self, path: str, stamp: str) -> str:
        """A stamp without what we write ourselves."""
        if not self.ours or not stamp.startswith("names "):
            return stamp
        folder = "" if path == "./" else path
        names = stamp.removeprefix("names ").split("/")
        return "names " + "/".join(name for name in names if folder + name not in self.ours)


def _how(old: str, new: str) -> str:
    if ABSENT in (old, new):
        return "is new" if old == ABSENT else "is gone"
    return "changed"


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """The facts about the environment of runs: our own, or these variables."""
    return {
        f"the environment variable {name}": digest(value.encode("utf-8", "surrogateescape"))
        for name, value in sorted((os.environ if variables is None else variables).items())
        if name not in SESSION and not name.startswith("STRIPE_")
    }

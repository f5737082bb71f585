"""Tests in other processes and on other machines: what is sent is all they need.

A worker is sent both versions and the task once, and then, for every test, in what a version
differs from these.  First it sees for itself that there, too, the bad version fails in this way
and the good one passes.  So the answer does not depend on where tests run; and what no worker
answers, as it died or has another STRIPE, is tested here.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stripe.campaign.workers import STORE
from stripe.changes.snapshots import Tree, digest_of
from stripe.changes.trial import Task, Trial, Verdict
from stripe.checks.crash import Signature
from stripe.dd import Outcome
from stripe.errors import NotReducible, StripeError

if TYPE_CHECKING:
    from concurrent.futures import Executor

AS_BAD = True
"""A file is as it is in the bad version..."""

GONE = False
"""...or not there."""

type Difference = Mapping[str, tuple[int, bytes] | bool]
"""In what a version differs from the good one."""


@dataclass(frozen=True, slots=True)
class Package:
    """All that a worker has to know before its first test; ``failure`` is that of the bad one."""

    task: Task
    good: Tree
    bad: Tree
    failure: Signature

    def difference(self, tree: Tree) -> Difference:
        """What has to be sent of a version."""
        changed: dict[str, tuple[int, bytes] | bool] = dict.fromkeys(self.good.keys() - tree, GONE)
        for path, file in tree.items():
            if file != self.good.get(path):
                changed[path] = AS_BAD if file == self.bad.get(path) else file
        return changed

    def version(self, difference: Difference) -> Tree:
        """The version that :meth:`difference` was made from."""
        tree = dict(self.good)
        for path, file in difference.items():
            if not isinstance(file, bool):
                tree[path] = file
            elif file:
                tree[path] = self.bad[path]
            else:
                del tree[path]
        return tree


class Remote:
    """Looks at versions where an executor runs things.

    Args:
        executor: such as that of a Dask client.
        here: what tests when no worker does; it has looked at the bad version.
        package: what workers have to know.
    """

    cancel = None
    """A test that was sent runs to its end."""

    def __init__(self, executor: Executor, here: Trial, package: Package) -> None:
        self._executor = executor
        self._here = here
        self._package = package
        self._packed = _pack(package)
        self._mark = hashlib.sha256(self._packed).hexdigest()
        self._alone = threading.Lock()
        self._lost: Counter[str] = Counter()

    def verdict(self, tree: Tree, key: object = None) -> Verdict:
        """What comes of a version.

        Raises:
            NotReducible: ``worker-differs``.
        """
        question = _pack((self._package.difference(tree), digest_of(tree)))
        try:
            verdict = self._ask(question, None) or self._ask(question, self._packed)
        except StripeError:
            raise
        except Exception as error:
            if self._here.places.running.closed:  # nobody waits for an answer
                return Verdict(Outcome.UNRESOLVED, "the search is over")
            with self._alone:
                self._lost[f"{type(error).__name__}: {error}"] += 1
                return self._here.verdict(tree, key)
        assert verdict is not None, "it was sent all it needs"
        return verdict

    def _ask(self, question: bytes, package: bytes | None) -> Verdict | None:
        return self._executor.submit(look, self._mark, question, package).result()

    @property
    def notes(self) -> list[str]:
        """What the user should know of the workers."""
        if not self._lost:
            return []
        why = self._lost.most_common(1)[0][0][:300]
        return [f"Workers did not answer {self._lost.total()} tests, which were run here: {why}"]


def look(mark: str, question: bytes, package: bytes | None) -> Verdict | None:
    """In a worker: what comes of a version; ``None``: the package is needed for that.

    Raises:
        NotReducible: ``worker-differs``.
    """

    def make() -> _Guest:
        if package is None:
            raise _Unknown
        return _Guest(pickle.loads(zlib.decompress(package)))

    try:
        with STORE.use(mark, make) as guest:
            difference, digest = pickle.loads(zlib.decompress(question))
            return guest.verdict(difference, digest)
    except _Unknown:
        return None


class _Unknown(Exception):
    """This process was not sent the package yet, or has put it away."""


class _Guest:
    """A trial that was sent to this process."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._trial = Trial(package.task)
        self._lock = threading.Lock()
        self._compared = False

    def close(self) -> None:
        """Remove all places."""
        self._trial.close()

    def verdict(self, difference: Difference, digest: str) -> Verdict:
        """What comes of a version."""
        with self._lock:
            if not self._compared:
                self._compare()
                self._compared = True
        tree = self._package.version(difference)
        if digest_of(tree) != digest:
            raise ValueError("another version arrived than was sent")
        return self._trial.verdict(tree)

    def _compare(self) -> None:
        """See to it that the two versions do here what they did where the search is."""
        package = self._package
        try:
            failure = self._trial.reference(package.bad)
            self._trial.confirm(package.bad)
            does = str(failure)
        except NotReducible as error:
            failure, does = None, error.message
        if failure != package.failure:
            raise _differs("bad", f"{does} (and not: {package.failure})")
        verdict = self._trial.verdict(package.good)
        if verdict.outcome is not Outcome.PASS:
            raise _differs("good", str(verdict.failure or verdict.why))


def _differs(version: str, does: str) -> NotReducible:
    return NotReducible(
        "worker-differs",
        f"On the worker {os.uname().nodename} the {version} version does something else than on "
        f"this machine: {does.strip()}",
        "Workers need what the commands need besides the version: the same tools, and files under "
        "the same paths.",
    )


def _pack(what: object) -> bytes:
    return zlib.compress(pickle.dumps(what), 1)

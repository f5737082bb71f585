"""Runs that are changed at a moment, and looked at there and at a later one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from stripe.backend import Observation
from stripe.snapshots import Alteration, Later, Moment, Snapshot


class Changing(ABC):
    """Who can tell the state at a later moment can leave that out."""

    @abstractmethod
    def followed(
        self, moment: Moment, alteration: Alteration, later: Later | None
    ) -> AbstractContextManager[tuple[Observation, Snapshot | None, Snapshot | None]]:
        """See :class:`stripe.snapshots.Following`; ``None``: nobody asks for a later moment."""

    @contextmanager
    def changed(
        self, moment: Moment, alteration: Alteration
    ) -> Iterator[tuple[Observation, Snapshot | None]]:
        """See :class:`stripe.snapshots.Run`."""
        with self.followed(moment, alteration, None) as (observation, after, _):
            yield observation, after

"""What is special about the result as JSON; tests/results has the rest."""

from __future__ import annotations

from typing import get_args

from stripe.results import causes
from stripe.states.deltas import Change
from stripe.states.graph import Kind, Step
from stripe.states.links import Shown
from stripe.states.overlay import Role, Side


def test_names_are_those_of_the_kinds_they_stand_for() -> None:
    for named, kind in (
        (causes.KindName, Kind),
        (causes.StepName, Step),
        (causes.ChangeName, Change),
        (causes.SideName, Side),
        (causes.RoleName, Role),
        (causes.ShownName, Shown),
    ):
        assert get_args(named.__value__) == tuple(each.value for each in kind)

"""What except clauses handle while control leaves for where it landed when recorded."""

from __future__ import annotations

from ..compiling import sites
from .activation import Leave, leaving_group
from .plan import NO_LANDING
from .replay_registers import Nothing

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from typing import Any

    from .activation import Activation


def handled(activation: Activation, site: int, error: BaseException) -> Any:
    """What the clause at ``site`` handles; None if its own expression has the say."""
    if activation.plan is None:
        return None
    if not isinstance(error, Leave) and not leaving_group(error):
        return None
    plan = activation.plan
    index = activation.ahead()
    while index < len(plan.codes) and plan.codes[index] == sites.LEAVE:
        index += 1
    if index == len(plan.codes) or plan.codes[index] != sites.LAND:
        return Nothing
    recorded, _, _ = plan.path.landings.get(plan.origin(index), NO_LANDING)
    return Leave if recorded == site else Nothing

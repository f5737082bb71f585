"""Which names of other cells a cell needs."""

from __future__ import annotations

import pytest

from stripe.cli.notebook import require_own_names
from stripe.errors import UsageError

DEFINED = ("limit", "half", "print")


@pytest.mark.parametrize(
    "cell",
    [
        "print(limit)",
        "def f():\n    return [limit for _ in range(2)]",
        "class A:\n    def f(self):\n        return lambda: limit",
        "limit.x = 1",
    ],
)
def test_a_cell_that_reads_what_others_define_is_refused(cell: str) -> None:
    with pytest.raises(UsageError, match="The cell uses limit, which") as caught:
        require_own_names(cell, DEFINED)
    assert caught.value.slug == "names-of-cells"


@pytest.mark.parametrize(
    "cell",
    [
        "import limit\nprint(limit)",
        "limit = 2\ndef f():\n    return limit",
        "def f(limit):\n    return limit\ndef half():\n    pass\nhalf()",
        "print([limit for limit in (1, 2)])",
        "def f():\n    global limit\n    limit = 1\nf()\nprint(limit)",
        "def f():\n    limit = 1\n    return lambda: limit",
        "print(limit",
    ],
)
def test_its_own_names_are_its_own(cell: str) -> None:
    require_own_names(cell, DEFINED)

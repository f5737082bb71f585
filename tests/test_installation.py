"""Beside the payment library, whose package has the tool's name, the tool does not start.

What installers do with both, in either order, is tried by ``tools/check-install``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stripe.errors import UsageError
from stripe.installation import OF_PAYMENT, SHARED, require_own_files


@pytest.mark.parametrize("name", OF_PAYMENT)
def test_files_of_either_generation_of_the_payment_library_are_known(
    tmp_path: Path, name: str
) -> None:
    for each in SHARED:
        (tmp_path / each).touch()
    require_own_files(tmp_path)
    (tmp_path / name).touch()
    with pytest.raises(UsageError) as raised:
        require_own_files(tmp_path)
    assert raised.value.slug == "payment-library"


@pytest.mark.parametrize("name", SHARED)
def test_what_the_payment_library_took_along_is_named(tmp_path: Path, name: str) -> None:
    for each in SHARED:
        if each != name:
            (tmp_path / each).touch()
    with pytest.raises(UsageError, match=f"{name} of .* went with the payment library") as raised:
        require_own_files(tmp_path)
    assert raised.value.slug == "files-missing"

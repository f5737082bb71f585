"""A patch that cannot be tried where the project is."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from stripe.changes.tried_patch import try_patch
from stripe.deadline import Deadline
from stripe.errors import NotReducible
from stripe.sandbox.layers import refused
from stripe.sandbox.walls import Layer
from tests.support.layers import forced

PATCH = "--- a/half.py\n+++ b/half.py\n@@ -1 +1 @@\n-half = 1\n+half = 2\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.skipif(refused(Layer.LANDLOCK) is not None, reason="no Landlock here")
def test_what_is_installed_from_the_project_would_be_the_one_without_it(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text("half = 1\n")
    with forced(Layer.LANDLOCK), pytest.raises(NotReducible) as caught:
        try_patch(tmp_path, PATCH, sys.executable, (), Deadline(60))
    assert caught.value.slug == "needs-namespaces"

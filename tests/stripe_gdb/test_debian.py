"""The programs from Debian packages can be had, have debug information, and do what is listed."""

from __future__ import annotations

import subprocess

import pytest

from benchmarks.debian.programs import TESTED, Unavailable
from tests.stripe_gdb.programs import ENVIRONMENT
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.realworld


@pytest.mark.parametrize("program", TESTED, ids=str)
def test_does_what_is_listed(program, tmp_path):
    try:
        executable = program.executable()
    except Unavailable as error:
        pytest.skip(f"{program} cannot be fetched or built: {error}")
    assert b".debug_line" in executable.read_bytes()
    for number in ("first", "second"):
        directory = tmp_path / number
        directory.mkdir()
        program.place(directory)
        done = subprocess.run(
            [executable, *program.arguments],
            cwd=directory,
            env=dict(ENVIRONMENT),
            input=program.stdin,
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.stdout == program.stdout
        assert done.stderr == b""
        assert done.returncode == 0

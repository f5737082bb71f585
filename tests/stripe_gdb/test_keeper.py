"""What runs a command for us, and ends with the host."""

from __future__ import annotations

import binascii
import json
import marshal
import subprocess
import sys
from pathlib import Path

import pytest

from stripe.sandbox.termination import ORPHANS
from stripe_gdb.process_guard import KEEPER
from tests.stripe_gdb.native import build, needs_cc, needs_gdb, recorded

NONE = (
    *("cpu", "memory", "output", "timeout", "directory", "environment", "streams", "tty"),
    "witness",
)


def keep(host: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command for a host."""
    options = dict.fromkeys(NONE) | {"engine": False, "fixed": False, "host": host}
    told = binascii.b2a_base64(marshal.dumps({**options, "orphans": str(ORPHANS)}), newline=False)
    return subprocess.run(
        [sys.executable, "-I", KEEPER, told.decode(), *command],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def test_a_command_that_ends(tmp_path: Path) -> None:
    done = keep(0, "sh", "-c", f"touch {tmp_path}/ran; exit 3")
    told = json.loads(done.stdout)
    assert (told["status"], told["timeout"], done.stderr) == (3 << 8, False, "")
    assert (tmp_path / "ran").exists()


def test_nothing_runs_for_a_host_that_is_gone(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    done = keep(gone.pid, "touch", str(tmp_path / "ran"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert not (tmp_path / "ran").exists()


@needs_gdb
@needs_cc
@pytest.mark.parametrize("words", [(), ("for a shell",)], ids=["plain", "shell"])
def test_it_sees_what_a_plain_run_reads(words: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("data", "spare"):
        (tmp_path / name).touch()
    text = '#include <stdio.h>\nint main(void)\n{\n    fopen("data", "r");\n    return 3;\n}\n'
    with recorded(build(text, tmp_path), *words) as recording:
        assert recording.plain.status == 3
        assert recording.reads.unseen == ""
        here = {path for path in recording.reads.stamps if not path.startswith("/")}
        assert here == {"prog", "data"}

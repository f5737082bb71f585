"""What a program opens has the same numbers in all runs: ours are out of the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from stripe.api import trace

FILES = """\
import os, socket
f = open(__file__)
x = 1
print(f.fileno(), socket.socket().fileno(), os.pipe(), x)
"""


def test_descriptors_are_those_without_us(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(FILES)
    plain = subprocess.run(
        [sys.executable, "prog.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    result = trace("prog.py", directory=tmp_path, watch=False)
    assert result.recorded is not None
    assert result.recorded.stdout == plain.stdout
    assert result.slices[0].certified
    assert result.slices[0].verified

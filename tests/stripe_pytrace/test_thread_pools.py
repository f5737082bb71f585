"""One thread is asked for in runs of ours, as far as the user does not say otherwise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from stripe_pytrace.thread_pools import ONE_THREAD, asked_for_more, in_one_thread

BACKENDS = str(Path(__file__).parents[2] / "backends")


def test_what_the_user_has_set_is_kept() -> None:
    found = in_one_thread({"OMP_NUM_THREADS": "4", "HOME": "/"})
    assert found == {**ONE_THREAD, "OMP_NUM_THREADS": "4", "HOME": "/"}
    assert asked_for_more(found) == ["OMP_NUM_THREADS"]
    assert asked_for_more(in_one_thread({})) == []


NATIVE = """\
import ctypes, sqlite3, sys, threading
sys.path.insert(0, sys.argv[1])
from stripe_pytrace.agent.recording.thread_origins import origins

def waits():
    threading.Event().wait()

threading.Thread(target=waits, daemon=True).start()
libc = ctypes.CDLL(None)
callback = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
address = ctypes.cast(libc.pause, ctypes.c_void_p)
thread = ctypes.c_ulong()
libc.pthread_create(ctypes.byref(thread), None, address, None)
print(*origins(), sep="\\n")
"""


def test_threads_are_told_by_what_started_them() -> None:
    """Those of Python by their function; of others at least that they are none of Python's."""
    done = subprocess.run([sys.executable, "-c", NATIVE, BACKENDS], capture_output=True, text=True)
    assert done.stderr == ""
    python, native = done.stdout.splitlines()
    assert re.fullmatch(r"waits \(<string>:\d+\)", python)
    assert native == "a native library"

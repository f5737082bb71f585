"""The corpus does harm where nothing keeps it from that, and the harness notices; in the jail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harm import jail
from tests.harm.conftest import Look
from tests.harm.looking import differences
from tests.harm.programs import Program, programs
from tests.harm.suite import ALL, require_jail
from tests.harm.worker import Plan

BARE = Plan(bare=True)

ONLY_ITSELF = {
    "python/unlink_itself": "what it removes is a copy when it runs bare",
    "c/unlink_itself": "what it removes is a copy when it runs bare",
}
"""Programs that harm nothing else, and why."""

BY_ROOT_ONLY = {"python/ctypes_hostname", "python/ctypes_mount", "c/mount_over"}
"""Programs that the kernel lets do harm only if they are root's."""


def test_there_are_enough_programs() -> None:
    languages = [program.language for program in programs()]
    assert languages.count("python") >= 60
    assert languages.count("c") >= 25
    assert languages.count("perl") >= 25


TRIED = programs() if ALL else programs()[::7]


@pytest.mark.parametrize("program", TRIED, ids=lambda each: each.name)
def test_bare_programs_do_harm(program: Program, look: Look) -> None:
    require_jail()
    found = look(program, BARE)
    root = os.geteuid() == 0
    spared = program.name in ONLY_ITSELF or (program.name in BY_ROOT_ONLY and not root)
    assert bool(found.harm) != spared, found.steps
    if program.language != "command" and root:
        assert found.in_full == program.full, found.harm


def in_jail(*command: str) -> subprocess.CompletedProcess[str]:
    require_jail()
    words = [sys.executable, jail.__file__, *command]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def test_the_jail_writes_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    places = [str(tmp_path), str(Path(__file__).parent), str(Path.home()), "/etc", "/dev", "/usr"]
    script = 'for place; do touch "$place/written" 2>/dev/null && echo "$place"; done; rm "$KEPT"'
    done = in_jail("env", f"KEPT={tmp_path}/kept", "sh", "-c", script, "sh", *places)
    assert done.stdout == ""
    assert (tmp_path / "kept").read_text() == "kept"


def test_the_jail_has_its_own_memory_folders_and_processes() -> None:
    place = "/tmp/in-jail"
    script = f"echo $$; ls {place} /dev/shm; touch {place}; kill -9 -1; ls {place}"
    done = in_jail("sh", "-c", script)
    assert done.stdout.split()[0] == "1"
    assert "in-jail" in done.stdout
    assert not Path(place).exists()


def test_user_namespaces_can_be_made_in_the_jail() -> None:
    script = "mount -t tmpfs none /tmp && mount -t proc none /proc && touch /tmp/x && echo $$"
    done = in_jail("unshare", "-Urmpf", "sh", "-c", script)
    assert done.stdout == "1\n", done.stderr


def test_the_jail_does_not_start_where_something_else_can_be_written(tmp_path: Path) -> None:
    """Shown by a folder that is bound into it behind its back."""
    require_jail()
    program = tmp_path / "open.py"
    program.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from tests.harm import jail\n"
        "furnish = jail.furnish\n"
        "def leaky(needed):\n"
        "    furnish(needed)\n"
        "    jail.mount('tmpfs', '/opt', 'tmpfs')\n"
        "jail.furnish = leaky\n"
        "sys.exit(jail.run(['echo', 'started']))\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert done.returncode == jail.REFUSED
    assert done.stdout == ""
    assert "/opt could be written" in done.stderr


def test_differences_have_names() -> None:
    before = {"same": 1, "file a": {"size": 1, "mode": 2}, "file b": {}, "signals": 0}
    after = {"same": 1, "file a": {"size": 1, "mode": 3}, "file c": {}, "signals": 4}
    assert differences(before, after) == [
        "changed: file a: mode",
        "gone: file b",
        "new: file c",
        "changed: signals: 0 is now 4",
    ]

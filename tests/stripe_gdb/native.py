"""Compiling and recording native samples; what the tests of this folder share."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from stripe.backend import Probe, Recording, Target
from stripe.checks import parse_checks
from stripe.reduce import Result, Settings, reduce
from stripe_gdb.preparation import open_recording
from stripe_gdb.recording import NativeRecording
from tests.stripe_gdb.programs import version
from tests.support.caching import cache_folder, locked
from tests.support.needs import needs

SAMPLES = Path(__file__).parent / "samples"
EXAMPLES = Path(__file__).parents[2] / "examples" / "sample_programs"

needs_gdb = (
    pytest.mark.skipif(True, reason="needs gdb")
    if shutil.which("gdb") is None
    else needs("elftools", "pexpect", "pygdbmi")
)
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler (cc)")
needs_cxx = pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler (c++)")


@cache
def why_no_calls() -> str:
    """Why gdb cannot call functions of a program here, as states need it; empty if it can.

    gdb 13 writes less of the extended state than the kernel takes where a processor has AMX.
    """
    if "amx_tile" not in Path("/proc/cpuinfo").read_text("utf-8") or shutil.which("gdb") is None:
        return ""
    words = ["gdb", "-nx", "-batch", "-ex", "starti", "-ex", "set var $xmm0.v2_int64[0] = 1"]
    done = subprocess.run([*words, shutil.which("true") or "true"], capture_output=True, text=True)
    return "needs a gdb that knows AMX" if "extended state" in done.stderr else ""


needs_calls = pytest.mark.skipif(bool(why_no_calls()), reason=why_no_calls())


CONTROLS = ("trace", "program")


def sample(name: str) -> str:
    """The text of a program of ``samples``."""
    return (SAMPLES / name).read_text("utf-8")


engines = pytest.mark.parametrize("engine", ["gdb", "ptrace"])


WITHOUT_PTRACE = """\
import ctypes, os, struct, sys
def op(code, jt, jf, k):
    return struct.pack("HBBI", code, jt, jf, k)
# load the number of the call; ptrace (101): EPERM; else allow
program = (op(0x20, 0, 0, 0) + op(0x15, 0, 1, 101)
           + op(0x06, 0, 0, 0x00050001) + op(0x06, 0, 0, 0x7FFF0000))
text = ctypes.create_string_buffer(program)
filter = struct.pack("HxxxxxxQ", 4, ctypes.addressof(text))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, filter, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a command under a seccomp filter that forbids ptrace, as containers have it."""


def build(source: Path | str, folder: Path, *options: str, name: str = "prog") -> Path:
    """Compile a file, or the text of a C program, to ``folder/name``; copies it there first."""
    if isinstance(source, str):
        path = folder / f"{name}.c"
        path.write_text(source, "utf-8")
    else:
        path = folder / source.name
        if path != source:
            shutil.copy(source, path)
    compiler = "cc" if path.suffix == ".c" else "c++"
    if _elsewhere(path.read_text("utf-8"), options):
        _compile(compiler, path, folder / name, *options)
        return folder / name
    made = _compiled(compiler, path, options).read_bytes()
    (folder / name).write_bytes(_moved(made, folder))
    (folder / name).chmod(0o755)
    return folder / name


SOMEWHERE = f"/{'somewhere/' * 24}here"
"""What debug information in the cache says the folder is: longer than the names of folders are."""


def _elsewhere(text: str, options: Sequence[str]) -> bool:
    """Whether more goes into a program than its text, and what compilers bring."""
    return '#include "' in text or any("/" in option or "." in option for option in options)


def _compiled(compiler: str, path: Path, options: Sequence[str]) -> Path:
    """A program of the cache, made there the first time."""
    facts = (compiler, version(compiler), path.name, path.read_bytes(), options)
    folder = cache_folder(f"built/{hashlib.sha256(repr(facts).encode()).hexdigest()[:20]}")
    with locked(folder):
        if not (folder / "complete").exists():
            copy = Path(shutil.copy(path, folder))
            mapped = [f"-f{what}-prefix-map={folder}={SOMEWHERE}" for what in ("debug", "macro")]
            _compile(compiler, copy, folder / "new", *mapped, *options)
            (folder / "new").rename(folder / "complete")
    return folder / "complete"


def _moved(program: bytes, folder: Path) -> bytes:
    """A program of the cache as if it had been compiled in ``folder``; no byte moves."""
    here = os.fsencode(folder)
    assert len(here) < len(SOMEWHERE) - 1
    # In front, as names of files may be shared with the ends of longer ones.
    return program.replace(SOMEWHERE.encode(), here.rjust(len(SOMEWHERE), b"/"))


def _compile(compiler: str, source: Path, program: Path, *options: str) -> None:
    command = [compiler, "-O0", "-g", *options, str(source), "-o", str(program), "-lm"]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@contextmanager
def recorded(
    program: Path, *arguments: str, probes: Sequence[Probe] = (), **settings: object
) -> Iterator[NativeRecording]:
    """A recording of ``program``, in its own folder."""
    target = Target(program.name, arguments, directory=program.parent, **settings)  # type: ignore[arg-type]
    recording = open_recording(target, probes)
    try:
        yield recording
    finally:
        recording.close()


@contextmanager
def limited(recording: NativeRecording, seconds: float) -> Iterator[None]:
    """Replays that never end are given ``seconds``; others have what they need on any machine."""
    runner = recording._runner
    before, runner.timeout = runner.timeout, seconds
    yield
    runner.timeout = before


def reduced(recording: Recording, *checks: str, control: str = "trace") -> Result:
    """The slices of a recording for some checks; it can be asked again."""
    return reduce(recording, parse_checks(checks), Settings(control))


def disassembled() -> Iterator[tuple[int, bytes, str]]:
    """Instructions by objdump: address, bytes, and what is said of them."""
    # What there is in any process: the C library.
    [library] = set(re.findall(r"/\S*/libc\.so\S*", Path("/proc/self/maps").read_text()))
    listing = subprocess.run(
        ["objdump", "-d", "--insn-width=16", library], capture_output=True, text=True
    ).stdout
    form = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t?(.*)")
    found = filter(None, map(form.match, listing.splitlines()[:150_000]))
    for address, digits, said in (each.groups() for each in found):
        yield int(address, 16), bytes.fromhex(digits), said

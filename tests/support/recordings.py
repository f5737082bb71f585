"""Recordings of small Python programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stripe.backend import Probe, Target
from stripe_pytrace.backend import PythonBackend
from stripe_pytrace.recording import PythonRecording


@contextmanager
def recorded(
    folder: Path,
    text: str | None = None,
    *,
    name: str = "prog.py",
    probes: Sequence[Probe] = (),
    files: Mapping[str, str] = {},
    **target: Any,
) -> Iterator[PythonRecording]:
    """A recording of a program, whose texts are written to a folder; it is closed in the end."""
    for path, content in {**files, **({} if text is None else {name: text})}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, "utf-8")
    recording = PythonBackend().record(Target(name, directory=folder, **target), probes)
    assert isinstance(recording, PythonRecording)
    try:
        yield recording
    finally:
        recording.close()

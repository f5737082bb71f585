"""Ending a process: it may end by itself, is asked, and is killed with its session."""

from __future__ import annotations

import subprocess

import pytest

from stripe.sandbox import termination


def start(script: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        ["/bin/sh", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def test_it_may_end_by_itself():
    process = start("echo ready; read line; exit 7")
    assert process.stdin is not None
    process.stdin.close()
    termination.end_process(process, patience=60)
    assert process.returncode == 7
    close(process)


def test_it_is_asked():
    process = start("trap 'exit 8' TERM; echo ready; while :; do sleep 0.1; done")
    termination.end_process(process)
    assert process.returncode == 8
    close(process)


def test_it_is_killed_with_its_session(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(termination, "PATIENCE", 0.05)
    process = start("trap '' TERM; sleep 1000 & echo ready; while :; do wait; done")
    termination.end_process(process)
    assert process.returncode == -9
    assert process.stdout is not None
    assert process.stdout.read() == b""  # nobody has it open any more
    close(process)

"""A Dask scheduler with two workers on the loopback interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.patience import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]


class Cluster:
    """A scheduler and two workers on the loopback interface."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = {**environment, "PYTHONPATH": str(ROOT)}
        self.contact = folder / "scheduler.json"
        self._folder = folder
        local = ["--host", "127.0.0.1", "--no-dashboard"]
        contact = ["--scheduler-file", str(self.contact)]
        self._worker = ("dask_worker", *local, "--no-nanny", "--nthreads", "1", *contact)
        self._scheduler = self._start("dask_scheduler", *local, "--port", "0", *contact)
        self.workers = [self._start(*self._worker) for _ in range(2)]

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        """Those that it consists of."""
        return [self._scheduler, *self.workers]

    def replace_dead(self) -> None:
        """Start a worker for each that has died."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self._start(*self._worker)

    def address(self) -> str:
        """Where the scheduler listens, once both workers have joined it."""
        import distributed

        wait_until(lambda: self._read_contact() != "", lambda: "the scheduler did not start")
        address = json.loads(self._read_contact())["address"]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        return address.removeprefix("tcp://")

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def _read_contact(self) -> str:
        """What the scheduler has written; "" until it is complete."""
        text = self.contact.read_text("utf-8") if self.contact.exists() else ""
        return text if text.rstrip().endswith("}") else ""

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

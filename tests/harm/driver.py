"""Process 1 of the jail: makes the world, has STRIPE work on programs, tells what harm was done.

    python tests/harm/jail.py python -m tests.harm.driver JSON

Prints a line of JSON for each program.  The world is looked at after every step, and once more
when nothing of STRIPE's runs any more.  What was harmed is made anew.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.harm.bare import run_bare
from tests.harm.commands import place, run_commands
from tests.harm.looking import Look, differences
from tests.harm.programs import Program, read
from tests.harm.worker import Plan, work
from tests.harm.world import OWN, WORK, World

SECONDS = 240.0
"""What STRIPE may take for all there is to be done with a program."""

GRACE = 2.0
"""Seconds in which processes that were told to end do so, once STRIPE has ended."""

PATIENCE = 60.0
"""Seconds for STRIPE and what removes its scratch copies to end in: the machine may be busy."""

CLEANER = "/bin/sh -c \ntrap '' INT TERM HUP\nread"
"""How the command line of what removes scratch copies begins (``stripe.sandbox.scratch``)."""

INHERITED = 99
END = "end"


@dataclass
class Report:
    """What happened: steps and how they went, and harm by the step after which it was seen."""

    program: str
    steps: dict[str, str] = field(default_factory=dict)
    harm: dict[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0


class Driver:
    """Has one world, and one program after the other worked on."""

    def __init__(self) -> None:
        self.world = World()
        self.world.renew()

    def run(self, program: Program, plan: Plan) -> Report:
        """Have a program worked on; the world is whole again afterwards."""
        folder = WORK / program.path.stem
        folder.mkdir()
        if program.language == "command":
            place(program, folder)
        else:
            program.place(folder)
        report = Report(program.name)
        began = time.monotonic()
        before = self.world.look(alone=True)
        own = {name: value for name, value in before.items() if _lasts(name)}
        says, told = os.pipe()
        may_go, go = os.pipe()
        worker = os.fork()
        if worker == 0:
            for descriptor in (says, go):
                os.close(descriptor)
            self._be_worker(program, plan, folder, told, may_go)
        os.close(told)
        os.close(may_go)
        lines = b""
        step = "record"
        deadline = began + SECONDS
        while True:
            ready, _, _ = select.select([says], [], [], max(0.0, deadline - time.monotonic()))
            part = os.read(says, 65536) if ready else b""
            if not part:
                if not ready:
                    report.steps["given up"] = f"STRIPE took more than {SECONDS} seconds"
                break
            lines += part
            while b"\n" in lines:
                line, lines = lines.split(b"\n", 1)
                step, how = json.loads(line)
                report.steps[step] = how
                own = self._compare(report, step, how, own)
                try:
                    os.write(go, b".")
                except BrokenPipeError:
                    break
        os.close(says)
        os.close(go)
        self._after(report, worker, own, before)
        report.seconds = round(time.monotonic() - began, 2)
        if report.harm:
            self.world.renew()
        else:
            shutil.rmtree(folder)
        return report

    def _be_worker(
        self, program: Program, plan: Plan, folder: Path, told: int, may_go: int
    ) -> None:
        def say(step: str, how: str) -> None:
            os.write(told, json.dumps([step, how]).encode() + b"\n")
            os.read(may_go, 1)

        try:
            self._sit_down(folder, plan.layer)
            if plan.bare:
                run_bare(program, say)
            elif program.language == "command":
                run_commands(program, plan.tests, say)
            else:
                work(program, folder, plan, say)
        except Exception:
            say("error", traceback.format_exc())
        finally:
            os._exit(0)

    def _sit_down(self, folder: Path, layer: str) -> None:
        """Be where a user starts STRIPE: at the terminal, with an environment and a folder."""
        environment = self.world.environment()
        self.world.servers.close()
        # A descriptor of the user's that STRIPE inherits, as from `stripe ... 9<>FILE`.
        inherited = os.open(environment["VICTIM"] + "/big", os.O_RDWR)
        os.dup2(inherited, INHERITED, inheritable=True)
        self.world.terminal.become_controlling()
        log = os.memfd_create("log")
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.update(environment)
        os.environ["WORK"] = str(folder)
        os.environ["STRIPE_PYTHON"] = sys.executable
        os.environ["TMPDIR"] = str(OWN / "tmp")
        os.environ["XDG_CACHE_HOME"] = str(OWN / "cache")
        os.environ["STRIPE_SANDBOX_LAYER"] = layer
        os.chdir(folder)

    def _compare(self, report: Report, step: str, how: str, before: Look) -> Look:
        after = self.world.look(alone=False)
        found = differences(before, after)
        if "BackendError" in how or how.startswith("false certificate") or step == "error":
            found.append(how)
        if found:
            report.harm[step] = found
        return after

    def _after(self, report: Report, worker: int, own: Look, before: Look) -> None:
        """Wait for STRIPE's end and that of its processes, then look once more."""
        if "given up" in report.steps:
            os.kill(worker, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        deadline = end
        status = None
        while True:
            pid = 1
            while pid:
                try:
                    pid, ended = os.waitpid(-1, os.WNOHANG)
                except ChildProcessError:
                    break
                if pid == worker:
                    status = os.waitstatus_to_exitcode(ended)
                    deadline = min(end, time.monotonic() + GRACE)
            after = self.world.look(alone=True)
            fresh = [each for each in differences(before, after) if _fleeting(each)]
            late = end if any(CLEANER in each for each in fresh) else deadline
            if time.monotonic() > late or (status is not None and not fresh):
                break
            time.sleep(0.02)
        # What was seen before belongs to the step it was seen after.
        found = differences(
            {**{name: value for name, value in before.items() if not _lasts(name)}, **own}, after
        )
        if status is None:
            found.append("STRIPE does not end")
        elif status and "given up" not in report.steps:
            found.append(f"STRIPE was ended: {status}")
        if found:
            report.harm[END] = found


def _fleeting(difference: str) -> bool:
    """Whether it may be of a process that is about to end."""
    return difference.startswith(("new: process", "new: tcp", "new: udp", "new: unix", "..."))


def _lasts(name: str) -> bool:
    """Whether it is looked at while STRIPE works."""
    return not name.startswith(("process", "tcp", "udp", "unix socket", "death", f"left in {OWN}"))


def main() -> None:
    """Work through what the argument says: paths of programs, and a plan."""
    assert os.getpid() == 1, "only in the jail"
    job = json.loads(sys.argv[1])
    for name in ("algorithms", "controls", "engines"):
        job["plan"][name] = tuple(job["plan"][name])
    plan = Plan(**job["plan"])
    driver = Driver()
    for number, path in enumerate(job["programs"]):
        report = driver.run(read(Path(path)), plan.of(number))
        print(json.dumps(vars(report)), flush=True)


if __name__ == "__main__":
    main()

"""What an engine is asked for; how it runs the program is its own affair."""

import os
import resource

from .poison import Poison
from .record import Recorder, Survey
from .replay import Recorded, Replayer

QUIET = 0.4
"""Seconds without a stop after which a program waits, or computes in a library."""


def told_fault(error):
    """What is told of an exception of ours: its type, its message and where it was raised."""
    traceback = error.__traceback__
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    where = f"{os.path.basename(code.co_filename)}:{traceback.tb_lineno}"
    return f"{type(error).__name__}: {error}, in {code.co_name} ({where})"


class Requests:
    """The requests that run the program.

    An engine has ``program``, ``arm(numbers, alarms)`` (have breakpoints at these blocks only, and
    some at ``alarms``, which are not expected to be hit) and ``run(strategy, job)`` (run the
    program once; what is known of it afterwards), ``libraries`` (see ``linker.py``), and listens to
    the dynamic linker if ``watching``.
    """

    watching = False
    recorded = course = None
    poisons = ()

    def in_functions(self, entries):
        """The blocks of the functions with these entry blocks."""
        return [n for n, block in enumerate(self.program.blocks) if block[1] in entries]

    def watch(self, job):
        """Listen to the dynamic linker in the runs that follow, if that is wanted and can be."""
        self.watching = job.get("watch", False) and self.libraries.linker is not None

    def survey(self, job):
        """Which functions run."""
        blocks = self.program.blocks
        self.watch(job)
        self.arm(number for number, block in enumerate(blocks) if block[2])
        strategy = Survey()
        answer = self.run(strategy, job)
        answer["functions"] = sorted(strategy.seen)
        answer["mapped"] = list(self.libraries.seen.items())
        return answer

    def record(self, job):
        """Record a run of the functions ``job["functions"]``, all if None; writes the log."""
        functions = job["functions"]
        blocks = range(len(self.program.blocks))
        self.watch(job)
        self.arm(blocks if functions is None else self.in_functions(set(functions)))
        strategy = Recorder(job, self.program)
        answer = self.run(strategy, job)
        strategy.write(job["log"])
        answer["size"] = len(strategy.block)
        answer["mapped"] = list(self.libraries.seen.items())
        return answer

    def load(self, job):
        """Read a recorded run, for replays, which may write ``job["output"]`` bytes into a file."""
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        limit = job["output"] if hard == resource.RLIM_INFINITY else min(job["output"], hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        start, room = job["unused"]
        self.poisons = [Poison(number, start, room) for number in range(job["poisons"])]
        blocks = self.program.blocks
        self.recorded = Recorded(job["log"], job["landings"], blocks, job["scopes"], job["cut"])
        ran = set(self.recorded.entries)
        self.watching = bool(self.libraries.all)
        alarms = [n for n, block in enumerate(blocks) if block[2] and n not in ran]
        self.arm(self.in_functions(ran), alarms)
        self.course = None
        return {}

    def replay(self, job):
        """Replay the loaded run partially."""
        poison = self.poisons[job["poison"]]
        strategy = Replayer(job, self.recorded, self.program, poison)
        answer = self.run(strategy, job)
        answer["stops"], answer["called"] = strategy.stops, strategy.called
        answer["event"] = strategy.latest(job["raising"], answer["event"])
        if strategy.looker is not None:
            strategy.looker.write()
        if job.get("executed"):
            with open(job["executed"], "wb") as stream:
                strategy.executed.tofile(stream)
        return answer

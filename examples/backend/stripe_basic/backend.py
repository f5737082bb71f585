"""Records and replays programs in BASIC, by an interpreter that can do so (``basic.py``)."""

import re
import sys
from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from stripe.backend import Probe, Recording, Target
from stripe.errors import UsageError
from stripe.kit.served import ServedRecording, ServedRunner
from stripe.kit.slots import scratch_copies
from stripe.sandbox.layers import find_layer
from stripe.sandbox.walls import Layer, no_sandbox
from stripe.trace import NONE, Activation, SourceFile, Statement, Trace

BASIC = Path(__file__).with_name("basic.py")


# the backend
class BasicBackend:
    """Runs ``.bas`` files."""

    name = "basic"
    suffixes: Mapping[str, str] = {".bas": "basic"}

    def refuses(self, target: Target) -> str | None:
        """Why it cannot run a target, or ``None``."""
        if not target.program.endswith(tuple(self.suffixes)):
            return "it takes .bas files"
        if target.tty or target.cut:
            return "it knows no terminals, and no programs that do not end"
        return None

    def record(self, target: Target, probes: Sequence[Probe] = ()) -> Recording:
        """Run a target plainly and recorded."""
        program = target.directory / target.program
        if not program.is_file():
            raise UsageError("no-such-program", f"There is no file {program}.", "Check the path.")
        if probes:
            raise UsageError("no-variables", f"{probes[0]} cannot be read.", "Check the output.")
        layer, why = find_layer()
        if layer is Layer.NONE and not target.unsafe:
            raise no_sandbox("BASIC is run with parts left out", why)
        with scratch_copies(target, layer) as workspace:
            runner = BasicRunner(target, probes, workspace)
            return ServedRecording(runner, partial(make_trace, target.program, program))


class BasicRunner(ServedRunner):
    """Runs a program by the interpreter, which with ``--serve`` records and replays."""

    def command(self, number: int) -> list[str]:
        """The command that runs the program in a slot."""
        program = str(self.workspace.directory / self.target.program)
        copy = self.paths.copy(self.workspace.slot(number), program)
        return [sys.executable, "-I", "-S", str(BASIC), copy]


# the trace
def make_trace(name: str, program: Path, path: Sequence[int]) -> Trace:
    """The trace of a run that went through lines of these numbers."""
    text = program.read_text("utf-8")
    statements, known = list[Statement](), dict[int, int]()
    for line, row in enumerate(text.splitlines(), 1):
        if row.strip():
            number, keyword, rest = [*row.split(None, 2), "", ""][:3]
            known[int(number)] = len(statements)
            where = (len(statements), 0, keyword, line, line, line, 0, "<program>", NONE)
            statements.append(Statement(*where, *uses(keyword, rest)))
    activation = Activation(0, "<program>", 0, NONE)
    trace = Trace([SourceFile(name, text)], statements, [activation])
    trace.statement = array("i", [known[number] for number in path])
    trace.activation = array("i", [0]) * len(path)
    trace.caller = trace.scope = array("i", [NONE]) * len(path)
    trace.find_control = lambda: control(trace)
    return trace


def uses(keyword: str, rest: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a statement reads and writes."""
    names = tuple(re.findall(r"\b[A-Z]\w*", re.sub(r'"[^"]*"|\bTHEN\b', "", rest)))
    if keyword == "LET":
        return names[1:], names[:1]
    if keyword == "INPUT":
        return ("<stdin>",), (*names, "<stdin>")
    return (names, ("<stdout>",)) if keyword == "PRINT" else (names, ())


def control(trace: Trace) -> array[int]:
    """The event that decided on each: an IF decides on all that follows, as it may go anywhere."""
    deciding, parents = NONE, array("i")
    for event, statement in enumerate(trace.statement):
        parents.append(deciding)
        if trace.statements[statement].kind == "IF":
            deciding = event
    return parents

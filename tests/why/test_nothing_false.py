"""What an answer tells of a run is what the run did, as Python's own tracing saw it.

Random programs are asked about, and each sentence of the screen that states a fact of the recorded
run is compared with what a plain run under :func:`sys.settrace` noted, which shares no code with
us.  That something is needed is tried by leaving it out of such a run: see ``tests/reduce``.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys

import pytest

from stripe.backend import Target
from stripe.deadline import Deadline
from stripe.why import inquiry
from stripe.why.inquiry import inquire
from stripe.why.policy import TABLE

ORACLE = """\
import json, sys
held, first, returned, raised = [], {}, [], []

def note(frame, line):
    for name, value in list(frame.f_locals.items()):
        if isinstance(value, (int, list)):
            held.append([line, name, repr(value)])

def trace(frame, event, argument):
    if frame.f_code.co_filename != program:
        return None
    before = lines.get(frame)
    if before is not None:
        note(frame, before)
        now = {name: repr(value) for name, value in frame.f_locals.items()}
        for name, value in now.items():
            if seen[frame].get(name) != value and event != "exception":
                first.setdefault(value, [before, name])
        seen[frame] = now
    elif event == "call":
        seen[frame] = {name: repr(value) for name, value in frame.f_locals.items()}
        for value in seen[frame].values():
            first.setdefault(value, [0, ""])
    if event == "line":
        lines[frame] = frame.f_lineno
        seen.setdefault(frame, {})
        note(frame, frame.f_lineno)
    if event == "return" and argument is not None:
        returned.append([frame.f_lineno, repr(argument)])
    if event == "exception":
        raised.append(frame.f_lineno)
    return trace

program, lines, seen = sys.argv[1], {}, {}
code = compile(open(program).read(), program, "exec")
sys.settrace(trace)
try:
    exec(code, {"__name__": "__main__"})
except Exception as error:
    sys.settrace(None)
    kind = type(error).__name__
else:
    sys.settrace(None)
    kind = ""
with open(sys.argv[2], "w") as file:
    json.dump([held, first, returned, raised, kind], file)
"""


COMPUTING = (1, 2)
"""Programs of which what is printed is set by a statement, and by no argument."""


def program(seed: int) -> str:
    """Functions that compute numbers from numbers; what the last one returns is no index."""
    chance = random.Random(seed)
    lines = []
    for number in range(4):
        lines.append(f"def work{number}(a, b):")
        names = ["a", "b"]
        for step in range(chance.randrange(2, 5)):
            one, other = chance.choice(names), chance.choice(names)
            name = chance.choice([f"c{step}", "a"])
            kind = chance.randrange(4)
            if kind == 0 and number:
                call = f"work{chance.randrange(number)}({one}, {chance.randrange(2, 9)})"
                lines.append(f"    {name} = {call}")
            elif kind == 1:
                lines += [
                    f"    {name} = {one}",
                    f"    if {one} > {other}:",
                    f"        {name} += 1234",
                ]
            elif kind == 2:
                lines += [
                    f"    {name} = 1",
                    "    for i in range(3):",
                    f"        {name} += {one} * i",
                ]
            else:
                lines.append(f"    {name} = {one} * {other} + {chance.randrange(300, 900)}")
            names.append(name)
        lines.append(f"    return {names[-1]}")
    lines += ["items = [5, 6]", f"found = work3({seed + 33}, 41)", "print('found', found)"]
    lines.append("print(items[found + 2])" if seed % 2 else "print(7 // (found - found))")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("asked", ["exception", "stdout:/found/"])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_of_a_run_is_what_it_did(tmp_path, monkeypatch, seed, asked):
    (tmp_path / "prog.py").write_text(program(seed))
    (tmp_path / "oracle.py").write_text(ORACLE)
    words = [sys.executable, "oracle.py", "prog.py", "noted.json"]
    subprocess.run(words, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    held, first, returned, raised, kind = json.loads((tmp_path / "noted.json").read_text())
    monkeypatch.setattr(inquiry, "TABLE", [each for each in TABLE if each.name == "slice"])
    target = Target("prog.py", directory=tmp_path, deadline=Deadline(200))
    document = inquire(target, check=asked)
    told = [reason.says for place in document.places for reason in place.why]
    assert any("was raised here" in each for each in told) is (asked == "exception")
    if seed in COMPUTING and asked != "exception":
        assert any("was first seen here" in each for each in told)
    known = {(line, name, value) for line, name, value in held}
    for step in document.story:
        for name, value in step.values:
            if re.fullmatch(r"-?\d+|\[[\d, ]*\]", value) and name.isidentifier():
                assert (step.line, name, value) in known, step
    for place in document.places:
        for reason in place.why:
            if raising := re.match(
                r"(\w+) was raised here(?:, where (.+) was (\S+))?", reason.says
            ):
                assert (raising[1], place.line) == (kind, raised[0])
                if raising[2]:
                    there = {
                        name: json.loads(value) for line, name, value in held if line == raised[0]
                    }
                    assert eval(raising[2], there) == json.loads(raising[3])
            if "came through here" in reason.says:
                assert place.line in raised
            if seen := re.match(r"(\S+), which .* was first seen here(, of all)?", reason.says):
                value = seen[1]
                sets = any([line, text] == [place.line, value] for line, _, text in held)
                assert sets or [place.line, value] in returned
                line, name = first[value]
                if not seen[2]:
                    assert name, "a parameter has computed nothing"
                    assert place.line == line or [place.line, value] in returned

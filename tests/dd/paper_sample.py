"""The sample program of Cleve & Zeller (AADEBUG 2000) and two ways of running a part of its trace.

    1 sum = 0
    2 mul = 1
    3 read a
    4 read b
    5 while (a <= b) {
    6     sum = sum + a
    7     mul = mul * a
    8     a = a + 1
    9 }
    10 print sum
    11 print mul
    12 return 0;     (executed, not drawn in the paper)
    13 }             (executed, not drawn in the paper)

Read with the input 0 and 5. An event is a number from 1, in the order of execution.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from stripe.dd import Outcome

LINES = [1, 2, 3, 4, 5, *[6, 7, 8, 9, 5] * 6, 10, 11, 12, 13]
"""Line of each event: LINES[event - 1]."""
DRAWN = 37
"""Events the paper draws."""
WHILE, END, RETURN, BRACE = 5, 9, 12, 13
GARBAGE = {"sum": 4711, "mul": 815, "a": 1000, "b": 500}
"""What C's uninitialised locals hold here: any values with sum and mul not 0 and a >= b >= 6."""


class Broken(Exception):
    """The program stopped with an error of its own."""


class Machine:
    """The program's state; `values` tells what reading an unset variable means.

    c: whatever happens to be there; python: an error; perl: 0, or "" when printed.
    """

    def __init__(self, values: str) -> None:
        self.values = values
        self.variables: dict[str, int] = dict(GARBAGE) if values == "c" else {}
        self.input = [0, 5]
        self.output: list[str] = []

    def __getitem__(self, name: str) -> int:
        if name not in self.variables and self.values == "perl":
            return 0
        return self._read(name)

    def _read(self, name: str) -> int:
        try:
            return self.variables[name]
        except KeyError:
            raise Broken(name) from None

    def _input(self, name: str) -> None:
        if self.input:
            self.variables[name] = self.input.pop(0)
        elif self.values == "python":
            raise Broken("end of file")
        elif self.values == "perl":
            self.variables.pop(name, None)

    def _print(self, name: str) -> None:
        unset = self.values == "perl" and name not in self.variables
        self.output.append(f"{name} = {'' if unset else self._read(name)}")

    def step(self, line: int) -> int:
        """Execute one line; return the one the program goes to."""
        effects: dict[int, Callable[[], object]] = {
            1: lambda: self.variables.update(sum=0),
            2: lambda: self.variables.update(mul=1),
            3: lambda: self._input("a"),
            4: lambda: self._input("b"),
            6: lambda: self.variables.update(sum=self["sum"] + self["a"]),
            7: lambda: self.variables.update(mul=self["mul"] * self["a"]),
            8: lambda: self.variables.update(a=self["a"] + 1),
            10: lambda: self._print("sum"),
            11: lambda: self._print("mul"),
        }
        if line == WHILE:
            return 6 if self["a"] <= self["b"] else 10
        if line == END:
            return WHILE
        effects.get(line, lambda: None)()
        return line + 1


def judge(output: Iterable[str], criterion: str) -> Outcome:
    """FAIL if the lines the criterion is about ("all", "sum" or "mul") are as in the full run."""
    wanted = [text for text in ("sum = 15", "mul = 0") if criterion in ("all", text[:3])]
    shown = [text for text in output if criterion in ("all", text[:3])]
    return Outcome.FAIL if shown == wanted else Outcome.PASS


def stepping(kept: Collection[int], criterion: str = "all") -> Outcome:
    """Run the 39 events under a driver that counts stops, as a debugger does.

    Kept: the program runs to its next line, wherever that is. Dropped: the driver moves the
    program to the line of the next event. Exited before the trace is used up: UNRESOLVED.
    """
    machine = Machine("c")
    at, exited = LINES[0], False
    for event, following in enumerate([*LINES[1:], None], start=1):
        if exited:
            return Outcome.UNRESOLVED
        if event in kept:
            at = machine.step(at)
            exited = at > BRACE
        elif following is not None:
            at = following
    # A program that never came to its end has not flushed its output.
    return judge(machine.output, criterion) if exited else Outcome.PASS


def straight(kept: Collection[int], values: str, criterion: str = "all") -> Outcome:
    """Run the 37 drawn events where the trace says: `while` and its end have no effect."""
    machine = Machine(values)
    try:
        for event in range(1, DRAWN + 1):
            if event in kept and LINES[event - 1] not in (WHILE, END):
                machine.step(LINES[event - 1])
    except Broken:
        return Outcome.UNRESOLVED
    return judge(machine.output, criterion) if machine.output else Outcome.UNRESOLVED

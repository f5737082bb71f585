"""Seeded faults: C programs of 160 to 280 lines, each fault one line, with an input that shows it.

A fault is shown by the first line of output that differs from the right program's, or by a crash.
``omission``: all that is wrong is that something is not executed, or is missing in the text; no
executed statement computes what it should not.  A slice of what was executed need not show these.
So are faults that show as well where their whole statement is missing: what is executed there has
no effect, and what should be done there is not.
``held_back.txt`` names the half that was put aside before any of the tool was changed for them.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.stripe_gdb.native import build

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
HELD_BACK = frozenset((HERE / "held_back.txt").read_text("utf-8").split())

CALC = "1 / 0\n"
SUMS = CALC + "a = 2\nb = 5\na * b\n"
CHOICE = """\
 push 0
 branch other
 push 1
 print
 jump end
other:
 push 2
 print
end:
"""
DAYS = "week 2020-02-12\nmonths 2024-01-31 1\nnothing\n"
SALES = """\
region,product
n,"desk, oak",2,150,10
s,lamp,4,35.5,5
n,bed,1,20
"""
POINTS = """\
point 0 0
point 4 0
point 1 1
point 0 3
turn 90
move 1 5
"""
TEXT = """\
.width 24
the quick brown fox jump over
.justify
pack my box with five dozen
"""
POEM = """\
a horse saw it
it saw
"""
TASKS = "a 0 4 1\nb 3 4 2\nc 1 2 3\n"
BANK = """\
open 2 bob 50 2
open 1 al 100.50 2
pay 1 1200.5
day 30
move 1 2 600.00
take 2 640
show 1
show 2
"""
COUNTDOWN = """\
 push 2
again:
 dup
 print
 push 1
 sub
 dup
 push 0
 equal
 not
 branch again
 push 7
 push 4
 mul
 print
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """``old`` occurs once in the program; ``new`` stands there instead: one line is another."""

    program: str
    kind: str
    old: str
    new: str
    stdin: str
    omission: bool = False
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The program, and the line of the fault."""
        return f"{self.program}:{self.line}"

    @property
    def right(self) -> str:
        """The text of the program without the fault."""
        return (PROGRAMS / f"{self.program}.c").read_text("utf-8")

    @property
    def wrong(self) -> str:
        """The text of the program with it."""
        return self.right.replace(self.old, self.new)

    @property
    def line(self) -> int:
        """The line that is wrong."""
        text = self.right
        if text.count(self.old) != 1:
            raise ValueError(f"{self.program}: {self.old!r}")
        pairs = zip(text.split("\n"), self.wrong.split("\n"), strict=True)
        (number,) = (number for number, (right, wrong) in enumerate(pairs, 1) if right != wrong)
        return number

    def build(self, folder: Path) -> Path:
        """Compile the wrong program."""
        return compiled(self.program, self.wrong, folder)

    def check(self, folder: Path) -> str:
        """What its owner would ask: the crash, or the first line of output that is wrong."""
        wrong = self.run(self.build(folder))
        if wrong.returncode < 0:
            return "exception"
        right = self.run(compiled("right", self.right, folder))
        expected, seen = right.stdout.splitlines(), wrong.stdout.splitlines()
        for number, line in enumerate(seen):
            if number >= len(expected) or line != expected[number]:
                return f"stdout:/^{re.escape(line)}$/"
        if seen == expected:
            raise ValueError(f"{self.name} is not shown by its input")
        return "stdout"

    def run(self, program: Path, seconds: float = 30) -> subprocess.CompletedProcess[str]:
        """Run one of the two programs."""
        return subprocess.run(
            [program, *self.arguments],
            input=self.stdin,
            capture_output=True,
            text=True,
            timeout=seconds,
            errors="surrogateescape",
        )


def compiled(name: str, text: str, folder: Path) -> Path:
    """Compile a program for STRIPE."""
    return build(text, folder, "-w", name=name)


FAULTS = (
    Fault(
        "calc",
        "constant",
        "value * 10 + (*cursor",
        "value * 8 + (*cursor",
        CALC + "x = 25\nx + 1\n",
    ),
    Fault(
        "calc",
        "operator",
        "left - right * floor",
        "left + right * floor",
        CALC + "sqrt(16) + 7 % 4\n",
    ),
    Fault("calc", "index", "return &variables[i];", "return &variables[0];", SUMS),
    Fault("calc", "function", "return -unary();", "return -primary();", CALC + "2 - -3 ^ 2\n"),
    Fault(
        "calc",
        "condition",
        "if (found == NULL)\n            c",
        "if (found != NULL)\n            c",
        SUMS,
    ),
    Fault("report", "off by one", "i < sale_count; i++", "i < sale_count - 1; i++", SALES, True),
    Fault("report", "condition", "if (*p == '\"')", "if (*p == '\\'')", SALES, True),
    Fault("report", "constant", "atof(fields[4]) / 100", "atof(fields[4]) / 10", SALES),
    Fault("report", "variable", "100 * region->total / all", "100 * region->best / all", SALES),
    Fault("report", "initialisation", "made->best = -1;", ";", SALES + "west,bin,2,0\n", True),
    Fault("shapes", "sign", "step[0][1] = -sin(angle)", "step[0][1] = sin(angle)", POINTS),
    Fault("shapes", "index", "a[i][k] * b[k][j]", "a[i][k] * b[j][k]", POINTS),
    Fault("shapes", "operator", "q->x * p->y;", "q->x + p->y;", POINTS),
    Fault("shapes", "off by one", "lower = count + 1;", "lower = count;", POINTS),
    Fault("fill", "off by one", "used + next > room()", "used + next >= room() - 1", TEXT),
    Fault("fill", "operator", "extra = spare / gaps;", "extra = spare % gaps;", TEXT),
    Fault("fill", "arguments", "put_line(first, count, l", "put_line(count, first, l", TEXT),
    Fault(
        "fill",
        "condition",
        "if (count > 0)\n            n",
        "if (count > 1)\n            n",
        TEXT,
        True,
    ),
    Fault("fill", "off by one", "first + count < word_count", "first + count <= word_count", TEXT),
    Fault("words", "constant", "entry->count = 1;", "entry->count = 0;", POEM),
    Fault("words", "condition", "a->count != b->count", "a->count == b->count", POEM),
    Fault("words", "variable", "longest = length;", "longest = total;", POEM),
    Fault("words", "initialisation", "            length = 0;", "            ;", POEM, True),
    Fault(
        "words",
        "precedence",
        "1000 * all[i]->count / total",
        "1000 * (all[i]->count / total)",
        POEM,
    ),
    Fault(
        "tasks",
        "operator",
        ".priority > tasks[best]",
        ".priority < tasks[best]",
        "a 0 4 1\nb 3 4 3\nc 1 2 2\n",
    ),
    Fault("tasks", "index", "now += tasks[chosen].length", "now += tasks[done].length", TASKS),
    Fault("tasks", "off by one", "&ready, now + 1, now", "&ready, now, now", TASKS),
    Fault("tasks", "initialisation", "tasks[i].started = -1;", ";", TASKS, True),
    Fault("tasks", "variable", "whole - tasks[i].length;", "whole - tasks[i].priority;", TASKS),
    Fault("ledger", "sign", "book(account, -amount, what)", "book(account, amount, what)", BANK),
    Fault(
        "ledger",
        "precedence",
        "account->rate * days / (100 * 360)",
        "account->rate * days / 100 * 360",
        BANK,
    ),
    Fault(
        "ledger",
        "arguments",
        "find(one), find(two), cents",
        "find(two), find(one), cents",
        BANK,
        True,
    ),
    Fault(
        "ledger", "condition", "- amount < -account->limit", "- amount < account->limit", BANK, True
    ),
    Fault("ledger", "constant", "part *= 10;", "part *= 100;", BANK),
    Fault(
        "vm",
        "arguments",
        "push(machine, left - right)",
        "push(machine, right - left)",
        " push 2\n push 9\n sub\n print\n",
    ),
    Fault(
        "vm",
        "missing break",
        "left * right);\n        break;",
        "left * right);\n        ;",
        COUNTDOWN,
        True,
    ),
    Fault("vm", "condition", "if (pop(machine))", "if (!pop(machine))", CHOICE),
    Fault("vm", "off by one", ".address = size;", ".address = size + 1;", COUNTDOWN),
    Fault(
        "match",
        "condition",
        "how == '?' ? join",
        "how == '*' ? join",
        "/.|a\nb\n/a*d\nxaad\n",
    ),
    Fault(
        "match",
        "off by one",
        "i <= high; i++",
        "i < high; i++",
        "/.|a\nb\n/[a-c]d\nbcd\n",
        True,
    ),
    Fault(
        "match",
        "index",
        "add(SAVE, 2 * group + 1)",
        "add(SAVE, 2 * group)",
        "/.|a\nb\n/(ab+)c\nabbc\n",
    ),
    Fault(
        "match",
        "operator",
        "if (text != text_start)",
        "if (text == text_start)",
        "/.|a\nb\n/^ab\nabb\n",
    ),
    Fault(
        "dates",
        "operator",
        "year % 100 != 0",
        "year % 100 == 0",
        DAYS + "between 2024-02-25 2024-03-01\n",
    ),
    Fault("dates", "constant", "(32 + 2 * e", "(31 + 2 * e", DAYS + "easter 2025\n"),
    Fault(
        "dates",
        "off by one",
        "month < date.month; m",
        "month <= date.month; m",
        DAYS + "between 2024-02-25 2024-03-01\n",
    ),
    Fault(
        "dates",
        "variable",
        "*year = fourth.year;",
        "*year = date.year;",
        DAYS + "week 2021-01-02\n",
        True,
    ),
    Fault(
        "dates",
        "operator",
        "born.month && today",
        "born.month || today",
        DAYS + "age 1990-03-20 2024-06-14\n",
    ),
    Fault("pack", "off by one", "length > best", "length >= best", "abc,abc;abc"),
    Fault("pack", "constant", "put(out, length - SHORTEST)", "put(out, length - 2)", "abc,abc;abc"),
    Fault("pack", "index", "data[one + length] ==", "data[one] ==", "abc,abc;abc"),
    Fault(
        "pack",
        "variable",
        "out->data[out->size - distance]",
        "out->data[distance]",
        "abc,abc;abc",
    ),
)

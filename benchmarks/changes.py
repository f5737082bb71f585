"""Failure-inducing changes: histories of the size of the paper's, made up, with their figures.

No program is run: a compiler of a few lines says which version builds, and in what words it
complains.  What is measured is how many versions are tested.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from statistics import median

from benchmarks.measure import Row, Sizes
from stripe.campaign.campaign import Campaign
from stripe.changes.change_search import ChangeSearch
from stripe.changes.granularity import LEVELS, groups_of
from stripe.changes.snapshots import FILE, Entry, History, Snapshot, Step, Tree, name_of
from stripe.changes.trial import Verdict
from stripe.changes.universe import Universe
from stripe.dd import Outcome

PAPER = {"GDB": 97, "GDB, three that interfere": 300, "DDD": 12}
"""Tests: the best version of the authors', and what we want to stay below."""

CALL = re.compile(rb"(\w+)\(([^()]*)\);")
FUNCTION = re.compile(rb"^int (\w+)\(([^()]*)\) \{", re.MULTILINE)


class Source:
    """A program in the making: files of functions that call each other."""

    def __init__(self, seed: int, files: int, functions: int) -> None:
        self.random = random.Random(seed)
        self.functions: dict[str, list[str]] = {}
        self.arity: dict[str, int] = {}
        self.files: dict[str, list[str]] = {}
        self.to_blame: set[str] = set()
        names = [f"fn_{number}" for number in range(files * functions)]
        self.arity = {name: self.random.randint(0, 3) for name in names}
        for number in range(files):
            path = f"dir{number % max(1, files // 12)}/file{number}.c"
            own = names[number * functions : (number + 1) * functions]
            self.files[path] = own
            for name in own:
                self.functions[name] = [self.line(names) for _ in range(self.random.randint(6, 60))]

    def line(self, names: list[str]) -> str:
        """A statement: often a call."""
        if self.random.random() < 0.3:
            name = self.random.choice(names)
            return f"    {name}({self.arguments(name)});"
        return f"    x{self.random.randrange(9)} = {self.random.randrange(10**6)};"

    def arguments(self, name: str) -> str:
        """As many as the function takes."""
        return ", ".join(str(self.random.randrange(100)) for _ in range(self.arity[name]))

    def snapshot(self) -> Snapshot:
        """The program as it is now."""
        contents: dict[str, bytes] = {}
        entries: dict[str, Entry] = {}
        for path, names in self.files.items():
            text = "".join(
                f"int {name}({', '.join(f'a{n}' for n in range(self.arity[name]))}) {{\n"
                + "\n".join(self.functions[name])
                + "\n}\n\n"
                for name in names
            ).encode()
            entries[path] = Entry(FILE, name_of(text))
            contents[entries[path].name] = text
        return Snapshot(entries, contents.__getitem__)

    # --- changes

    def touch(self, size: int) -> None:
        """Rewrite some lines of a function that are no calls: nobody else notices."""
        body = self.functions[self.random.choice(list(self.functions))]
        start = self.random.randrange(len(body))
        new = [f"    y{self.random.randrange(9)} = {self.random.random()};" for _ in range(size)]
        old = body[start : start + size // 2]
        kept = [line for line in old if "(" in line or line in self.to_blame]
        body[start : start + size // 2] = [*kept, *new]

    def widen(self) -> None:
        """Give a function one more parameter, and all its callers one more argument."""
        name = self.random.choice([name for name in self.functions if name.startswith("fn_")])
        self.arity[name] += 1
        for body in self.functions.values():
            for row, line in enumerate(body):
                if line.startswith(f"    {name}("):
                    body[row] = f"    {name}({self.arguments(name)});"

    def add(self, users: int) -> None:
        """A new function, and who calls it."""
        name = f"new_{len(self.arity)}"
        self.arity[name] = 1
        path = self.random.choice(list(self.files))
        body = [
            f"    z = {self.random.randrange(10**6)};" for _ in range(self.random.randint(4, 40))
        ]
        others = list(self.functions)
        self.files[path].insert(self.random.randrange(len(self.files[path]) + 1), name)
        self.functions[name] = body
        for _ in range(users):
            user = self.functions[self.random.choice(others)]
            user.insert(self.random.randrange(len(user) + 1), f"    {name}(1);")

    def break_something(self, culprits: int) -> list[bytes]:
        """The changes to blame: lines, all of which make it fail; no name in them is new."""
        found = []
        for number in range(culprits):
            body = self.functions[self.random.choice(list(self.functions))]
            line = f"    x0 = {10**6 + number};"
            body.insert(self.random.randrange(len(body) + 1), line)
            self.to_blame.add(line)
            found.append(line.encode())
        return found


class Compiler:
    """Says whether a version builds, and if so whether it fails."""

    def __init__(self, culprits: list[bytes]) -> None:
        self.culprits = culprits
        self._parsed: dict[bytes, tuple[dict[bytes, int], set[tuple[bytes, int]]]] = {}

    def __call__(self, tree: Tree, key: object) -> Verdict:
        defined: dict[bytes, int] = {}
        called: set[tuple[bytes, int]] = set()
        for _, content in tree.values():
            here, calls = self._parse(content)
            defined |= here
            called |= calls
        complaints = [
            f"error: '{name.decode()}' undeclared"
            if name not in defined
            else f"error: too few arguments to function '{name.decode()}'"
            for name, arity in sorted(called)
            if defined.get(name) != arity
        ]
        if complaints:
            return Verdict(Outcome.UNRESOLVED, "the build failed", "\n".join(complaints).encode())
        text = b"".join(content for _, content in tree.values())
        fails = all(line in text for line in self.culprits)
        return Verdict(Outcome.FAIL if fails else Outcome.PASS)

    def _parse(self, content: bytes) -> tuple[dict[bytes, int], set[tuple[bytes, int]]]:
        if content not in self._parsed:
            defined = {name: _count(args) for name, args in FUNCTION.findall(content)}
            called = {(name, _count(args)) for name, args in CALL.findall(content)}
            self._parsed[content] = defined, called
        return self._parsed[content]


def _count(arguments: bytes) -> int:
    return arguments.count(b",") + 1 if arguments.strip() else 0


def gdb(seed: int, hunks: int, culprits: int) -> tuple[History, Compiler]:
    """Two versions, and nothing between them: 20 lines in each of many hunks, 5 for 3 wanted."""
    files = max(4, hunks // 15)
    source = Source(seed, files, 12)
    before = source.snapshot()
    draw = source.random
    for _ in range(hunks // 40):
        source.widen()
    for _ in range(hunks // 30):
        source.add(draw.randint(1, 5))
    for _ in range(int(hunks * 0.75)):
        source.touch(min(80, int(draw.expovariate(1 / 22)) + 1))
    to_blame = source.break_something(culprits)
    step = Step("4.17", "", "", "", (), 1, source.snapshot())
    return History(before, (step,), "4.16", "4.17", ""), Compiler(to_blame)


def ddd(seed: int, commits: int, hunks: int) -> tuple[History, Compiler]:
    """A history of many small commits; changes come in more hunks than are wanted."""
    source = Source(seed, max(4, commits // 3), 8)
    before = source.snapshot()
    draw = source.random
    guilty = draw.randrange(commits)
    to_blame: list[bytes] = []
    steps = []
    for number in range(commits):
        for _ in range(max(1, round(draw.gauss(hunks / commits, 1)))):
            if draw.random() < 0.15:
                source.add(1)
            else:
                source.touch(draw.randint(1, 12))
        if number == guilty:
            to_blame = source.break_something(1)
        parents = (number - 1,) if number else ()
        steps.append(Step(f"c{number}", "", "", f"{number}", parents, 1, source.snapshot()))
    return History(before, tuple(steps), "3.1.1", "3.1.2", ""), Compiler(to_blame)


def tests_for(history: History, compiler: Compiler) -> tuple[int, ChangeSearch]:
    """How many versions are tested until it is known what is to blame; both ends not counted."""
    universe = Universe(history)
    campaign = Campaign()
    search = ChangeSearch(universe, compiler, campaign)
    for chosen in ((), universe.deltas):
        campaign.learn(search.key(chosen), compiler(universe.tree(chosen), None).outcome)
    search.descend(LEVELS)
    for level in LEVELS:
        search.narrow(level)
    search.certify(LEVELS)
    assert campaign.certified, "the answer is proven"
    blamed = b"".join(line for each in search.current for line in universe.texts(each)[0])
    assert all(line in blamed for line in compiler.culprits), "it is the culprit"
    return campaign.tests - 2, search


def builds(history: History, compiler: Compiler, seed: int, tries: int = 50) -> float:
    """The part of random halves of the changes that builds."""
    universe = Universe(history)
    draw = random.Random(seed)
    hunks = groups_of(universe, universe.deltas, "hunk")
    well = 0
    for _ in range(tries):
        chosen = [edit for hunk in draw.sample(hunks, len(hunks) // 2) for edit in hunk]
        well += compiler(universe.tree(chosen), None).outcome is not Outcome.UNRESOLVED
    return well / tries


def run(sizes: Sizes) -> list[Row]:
    """The benchmark."""
    size = sizes.choose(5230, 300)
    few, many = range(sizes.choose(3, 2)), range(sizes.choose(10, 2))
    histories: dict[str, tuple[range, Callable[[int], tuple[History, Compiler]]]] = {
        "GDB": (few, lambda seed: gdb(seed, size, 1)),
        "GDB, three that interfere": (few, lambda seed: gdb(seed, size, 3)),
        "DDD": (many, lambda seed: ddd(seed, sizes.choose(116, 30), sizes.choose(190, 60))),
    }
    rows = []
    for name, (seeds, made) in histories.items():
        counts, sizes_of = [], []
        for seed in seeds:
            history, compiler = made(seed)
            count, search = tests_for(history, compiler)
            counts.append(count)
            sizes_of.append(len(groups_of(search.universe, search.universe.deltas, "hunk")))
        compared = f"{name}, {median(sizes_of):.0f} hunks"
        low, high = min(counts), max(counts)
        # What is promised holds for the worst of them.
        rows.append(Row("changes", compared, high, low, high, "tests, at most", PAPER[name]))
    history, compiler = gdb(0, sizes.choose(1000, 300), 1)
    part = builds(history, compiler, 0)
    rows.append(Row("changes", "random halves that build", part, part, part, "of all"))
    return rows

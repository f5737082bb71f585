"""What is drawn of two states: boxes with rows, a row for each variable, and arrows between them.

A value that nothing else refers to stands in its row; all else is a box of its own.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stripe.report.style import apart, cut, plural, printable
from stripe.results.causes import Edge, Graph, Role, Side, Vertex
from stripe.snapshots import Kind, Step
from stripe.states.graph import ROOT

WIDEST = 32
"""Characters of a name or a value that are shown."""

SIGNS = {Side.BOTH: "", Side.PASSING: "✓ ", Side.FAILING: "✗ ", Side.CHANGED: ""}
"""What stands before what only one of the runs has."""

MARKS = {Role.CAUSE: "●", Role.CONTEXT: "○", None: ""}
"""What stands before what has to do with the failure."""

LEGEND = "✓ only when it passes   ✗ only when it fails   ● the cause   ○ changed as well"
"""What signs and marks mean."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a variable has in one run, or in both: a text, or another box by its number."""

    side: Side
    text: str = ""
    box: int | None = None

    @property
    def shown(self) -> str:
        return SIGNS[self.side] + self.text


@dataclass(frozen=True, slots=True)
class Row:
    """A variable; ``quiet``: no variable, but how many are left out."""

    label: str
    values: tuple[Value, ...]
    role: Role | None = None
    quiet: bool = False

    @property
    def mark(self) -> str:
        return MARKS[self.role]

    @property
    def cause(self) -> bool:
        return self.role is Role.CAUSE

    @property
    def texts(self) -> list[Value]:
        """The values that stand in the row; the others are boxes."""
        return [value for value in self.values if value.box is None]


@dataclass(slots=True)
class Box:
    """A call, a module, or an object: its column counts from those on the left."""

    title: str
    side: Side
    role: Role | None
    frame: bool
    rows: list[Row] = field(default_factory=list)
    column: int = 0

    @property
    def mark(self) -> str:
        return MARKS[self.role]

    @property
    def cause(self) -> bool:
        return self.role is Role.CAUSE

    @property
    def shown(self) -> str:
        """The title with its sign."""
        return SIGNS[self.side] + self.title


def boxes(graph: Graph, *, alone: bool = False) -> list[Box]:
    """The boxes of a picture, frames first, then as they are come to.

    ``alone``: it is of one state, so that nothing is equal or different.
    """
    return _Boxes(graph, "more" if alone else "equal").found


def short(text: str) -> str:
    """A name or a value as a picture has it."""
    return cut(printable(text), WIDEST)


class _Boxes:
    def __init__(self, graph: Graph, same: str) -> None:
        self.same = same
        self.nodes = graph.vertices
        self.out: Mapping[int, list[Edge]] = defaultdict(list)
        self.into: Mapping[int, list[Edge]] = defaultdict(list)
        for link in graph.edges:
            self.out[link.source].append(link)
            self.into[link.target].append(link)
        self.found: list[Box] = []
        self.numbers: dict[int, int] = {}
        self.queue: deque[int] = deque()
        bases = [link for link in self.out[ROOT] if link.step in (Step.FRAME, Step.MODULE)]
        plain = len(bases) < len(self.out[ROOT])
        for link in bases:
            empty = not self.out[link.target] and not self._left(self.nodes[link.target])
            if link.step is Step.FRAME or not empty:
                self._frame(link)
        if plain or self._left(self.nodes[ROOT]):
            self._box(ROOT, "variables" if plain else "more", column=0, frame=True)
        while self.queue:
            number = self.queue.popleft()
            self.found[self.numbers[number]].rows.extend(self._rows(number))

    def _left(self, node: Vertex) -> bool:
        return bool(node.equal or node.different)

    def _frame(self, link: Edge) -> None:
        node = self.nodes[link.target]
        module = link.step is Step.MODULE
        title = node.type or str(link.key)
        if module:
            name = node.type.removeprefix("module ")  # those of C are in none
            title = (
                f"global variables of {short(name)}" if name != node.type else "global variables"
            )
        elif "#" in str(link.key):
            title = str(link.key)
        self._box(link.target, title, column=0, frame=True)

    def _box(self, number: int, title: str, column: int, *, frame: bool = False) -> int:
        if number not in self.numbers:
            node = self.nodes[number]
            self.numbers[number] = len(self.found)
            box = Box(short(title), node.side, node.role, frame, column=column)
            self.found.append(box)
            self.queue.append(number)
        return self.numbers[number]

    def _inline(self, number: int) -> bool:
        """Whether a value stands in the row of the variable that has it."""
        node = self.nodes[number]
        return len(self.into[number]) == 1 and not self.out[number] and not self._left(node)

    def _rows(self, number: int) -> Iterator[Row]:
        node = self.nodes[number]
        column = self.found[self.numbers[number]].column + 1
        if (node.passing or node.failing) and not self.found[self.numbers[number]].frame:
            yield Row("", tuple(self._own(node)), node.role)
        pending: list[Edge] = []
        for link in self.out[number]:
            if number == ROOT and link.step in (Step.FRAME, Step.MODULE):
                continue
            first = pending[-1] if pending else None
            if first is not None and not (
                len(pending) == 1
                and (first.step, first.key) == (link.step, link.key)
                and (first.side, link.side) == (Side.PASSING, Side.FAILING)
            ):
                yield self._row(pending, column)
                pending = []
            pending.append(link)
        if pending:
            yield self._row(pending, column)
        yield from self._rest(number, node)

    def _rest(self, number: int, node: Vertex) -> Iterator[Row]:
        """What is left out."""
        what = ("variable", "call or module")[number == ROOT]
        if node.kind is not Kind.RECORD and number != ROOT:
            what = "part"
        plurals = {"call or module": "calls and modules"}
        for count, how in ((node.different, "different"), (node.equal, self.same)):
            if count:
                told = f"{count} {plurals[what]}" if what in plurals and count > 1 else None
                words = (told or plural(count, what)).split(" ", 1)
                yield Row(f"and {words[0]} {how} {words[1]}", (), quiet=True)

    def _row(self, links: list[Edge], column: int) -> Row:
        link = links[-1]
        if link.skipped:
            target = self._box(link.target, self.nodes[link.target].type, column)
            label = f"… {plural(link.skipped, 'step')} …"
            return Row(label, (Value(Side.BOTH, box=target),), quiet=True)
        label = _label(link)
        if link.was is not None:
            label += f" (✓ [{link.was}])"
        values = tuple(value for each in links for value in self._values(each, column))
        role = next((each.role for each in links if each.role), None)
        if role is None:
            parts = (self.nodes[each.target].role for each in links if self._inline(each.target))
            role = next((each for each in parts if each is not self.nodes[link.source].role), None)
        return Row(short(label), values, role)

    def _values(self, link: Edge, column: int) -> Iterator[Value]:
        node = self.nodes[link.target]
        if self._inline(link.target):
            for value in self._own(node):
                side = value.side if link.side is Side.BOTH else link.side
                yield Value(side, value.text)
            return
        targets = self.out[link.target]
        alone = len(self.into[link.target]) == 1 and not self._left(node)
        if node.kind is Kind.POINTER and alone and targets:
            for each in targets:  # a pointer is an arrow, not a box with one
                side = each.side if link.side is Side.BOTH else link.side
                yield Value(side, box=self._box(each.target, self.nodes[each.target].type, column))
            return
        yield Value(link.side, box=self._box(link.target, node.type, column))

    def _own(self, node: Vertex) -> Iterator[Value]:
        """The value of a vertex itself."""
        if node.side is Side.CHANGED:
            before, after = apart(printable(node.passing), printable(node.failing), WIDEST)
            if before == after:
                before, after = f"{before} {short(node.type)}".strip(), f"another {after}"
            yield Value(Side.PASSING, before)
            yield Value(Side.FAILING, after)
        else:
            yield Value(node.side, short(node.failing or node.passing) or short(node.type))


def _label(link: Edge) -> str:
    """The name of a variable within its parent."""
    match link.step:
        case Step.INDEX | Step.KEY:
            return f"[{link.key}]"
        case Step.TARGET:
            return "*"
    key = link.key
    return f"[{key}]" if isinstance(key, int) else key

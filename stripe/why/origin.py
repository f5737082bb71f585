"""Where a value that is asked about was first seen: the printed text, what an assertion compared.

What passes a value on has it as well; where it was computed it is seen first.  Nothing is tried:
it is told from the values of the recorded run, as far as these are known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stripe.reduce import CriticalSlice, Result
from stripe.reduce.slice_dependences import variables
from stripe.trace import NONE, Trace
from stripe.trace.statement_texts import StatementTexts
from stripe.trace.unrecorded_definitions import DECLARATIONS
from stripe.why.functions import parsed

COMMON = frozenset({"True", "False", "None", "''", '""', "[]", "{}", "()", "set()"})
"""Values that many variables hold, so that who had one first says nothing."""

SHORTEST = 2
"""Characters of a value that is looked for."""

_WORD = re.compile(r"[^\s,;()\[\]{}\"']+")


class Origin(NamedTuple):
    """The first event that is known to have set ``name`` to ``value``.

    ``event``: of a call whose result that is, what returned it.
    """

    event: int
    name: str
    value: str


def printed_texts(found: CriticalSlice) -> list[str]:
    """The line that is asked about, the first of several, and its words."""
    lines = [line.strip() for each in found.shown[:1] for line in each.lines[:1]]
    return [*lines, *(word for line in lines for word in _WORD.findall(line))]


def origins(result: Result, found: CriticalSlice, texts: Sequence[str]) -> Iterator[Origin]:
    """For each of ``texts`` the event that set it first, if it does not stand in its source.

    Nothing is told of a text that was first seen where it is only read: what computed it has no
    name, as an argument.
    """
    trace, sources = result.trace, StatementTexts(result.trace)
    ends = _ends(trace)
    wanted = {_plain(each) for each in texts if len(each) >= SHORTEST and each not in COMMON}
    # What an event sets it sets when all that it called is over.
    for event in sorted(found.values, key=lambda each: (ends[each], -each)):
        statement = trace.statements[trace.statement[event]]
        if not wanted:
            return
        for name, value in found.values[event].items():
            plain = _plain(value)
            if plain not in wanted:
                continue
            wanted.discard(plain)
            sets = name in variables(statement.writes) and statement.kind not in DECLARATIONS
            computes = sets and not _copies(sources.own(statement))
            if computes and plain not in sources.line(statement):
                yield Origin(_returned(trace, event, sources), name, value)


def _ends(trace: Trace) -> list[int]:
    """For each event the last one of all that it called; itself, if it called none."""
    ends = list(range(len(trace)))
    for event in range(len(trace) - 1, -1, -1):
        caller = trace.caller[event]
        if caller != NONE:
            ends[caller] = max(ends[caller], ends[event])
    return ends


def _plain(text: str) -> str:
    """A text without quotes around it."""
    quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return text[1:-1] if quoted else text


def _returned(trace: Trace, event: int, sources: StatementTexts) -> int:
    """The event that returned what ``event`` assigns or returns, if that is the result of a call.

    Where other calls may have been the last ones, as in its arguments, it is ``event``.
    """
    while called := _called(sources.own(trace.statements[trace.statement[event]])):
        last = next(
            (each for each in range(len(trace) - 1, event, -1) if trace.caller[each] == event), None
        )
        if last is None:
            return event
        statement = trace.statements[trace.statement[last]]
        if statement.kind != "Return" or statement.function.rpartition(".")[2] != called:
            return event
        event = last
    return event


def _copies(source: str) -> bool:
    """Whether a statement assigns what a variable holds, and computes nothing."""
    tree = parsed(source)
    match tree and tree.body:
        case [ast.Assign(value=ast.Name()) | ast.AnnAssign(value=ast.Name())]:
            return True
    return False


def _called(source: str) -> str:
    """The name of what is called, if a statement assigns or returns its result, and no more."""
    tree = parsed(source)
    match tree and tree.body:
        case [ast.Assign(targets=[_], value=call) | ast.Return(value=call)]:
            pass
        case _:
            return ""
    match call:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            more = [each for each in ast.walk(call) if isinstance(each, ast.Call | ast.Await)]
            return name if len(more) == 1 else ""
    return ""

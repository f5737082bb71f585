"""Put objects into compiled code: what sites call, and who each tracked function is."""

from __future__ import annotations

from types import CodeType

from . import sites
from .versions import ASYNC_FLAGS, GENERATOR_FLAGS, async_headers

TYPE_CHECKING = False  # typing takes as long to import as much of the agent
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Function:
    """A tracked code object: a function, class body or module of the user's code.

    ``annotates``: its events are annotations.  ``fetches`` maps the offsets its loops jump back
    to for an item to FETCH sites; ``async_headers`` are the offsets from which an exhausted
    ``async for`` is left.  ``mark`` is what is noted when it starts; ``runs``: that tells of
    statements in a row.  ``notes``: its code says itself that it starts, see ``direct``, and
    ``ends`` that it returns; ``resumes``: so does that of a generator, see ``suspensions``;
    ``opens`` is what it reads at its start, see ``folds``.
    """

    __slots__ = (
        "annotates", "async_headers", "code", "ends", "fetches", "generator", "mark", "notes",
        "number", "opens", "resumes", "runs",
    )  # fmt: skip

    def __init__(
        self,
        code: CodeType,
        number: int,
        fetches: dict[int, int],
        annotates: bool = False,
        lead: int = sites.NO_LEAD,
        *,
        notes: bool = False,
    ) -> None:
        self.annotates = annotates
        self.code = code
        self.number = number
        self.generator = bool(code.co_flags & GENERATOR_FLAGS)
        self.mark = mark(number, generator=self.generator)
        self.runs = lead >= sites.RUN
        self.notes = notes
        self.resumes = False
        self.fetches = fetches
        self.async_headers = async_headers(code) if code.co_flags & ASYNC_FLAGS else []


def mark(number: int, *, generator: bool = False) -> int:
    """What is noted when a function starts."""
    return -16 * number - (sites.START_GENERATOR if generator else sites.START)


def key_of(code: CodeType) -> tuple[int, str]:
    """First line and name: what tells the functions of a file apart."""
    return (0 if code.co_name == "<module>" else code.co_firstlineno, code.co_name)


def link(
    code: CodeType,
    constants: dict[complex, Any],
    describe: Callable[[CodeType], Function | None],
) -> CodeType:
    """Replace the placeholders among the constants of ``code`` by the objects they stand for.

    The compiler accepts no arbitrary object as a constant, but code objects do.
    Placeholders are complex numbers no program contains: the optimizer cannot fold a call
    or subscript of one.  A tracked function becomes the last constant of its code.
    """
    linked = [
        link(constant, constants, describe)
        if isinstance(constant, CodeType)
        else constants.get(constant, constant)
        if type(constant) is complex
        else constant
        for constant in code.co_consts
    ]
    function = describe(code)
    if function is not None:
        linked.append(function)
    code = code.replace(co_consts=tuple(linked))
    if function is not None:
        function.code = code
    return code

"""The kinds of answers as JSON: how each says what it is, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from stripe.errors import UsageError
from stripe.results.wrong import describe

if TYPE_CHECKING:
    from stripe.results.model import Model


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of results in JSON.

    - ``name``, ``version``: what a document of this kind says of itself
    - ``oldest``: the first version that is still read, if not this one
    - ``maker``: whose results these are; ``make_one``: how to get one; ``again``: how to get one
      of this version
    """

    name: str
    version: int
    maker: str
    make_one: str
    again: str
    oldest: int | None = None

    @property
    def first(self) -> int:
        """The first version that is still read."""
        return self.version if self.oldest is None else self.oldest

    def require(self, data: Any, where: str) -> None:
        """Raise UsageError ``not-a-result`` or ``result-version`` unless it says that it is one.

        ``where`` is what errors call the document.
        """
        if not isinstance(data, dict) or data.get("format") != self.name:
            self.refuse(where, f'it does not say "format": "{self.name}"')
        version = data.get("version")
        if type(version) is not int or not self.first <= version <= self.version:
            raise UsageError(
                "result-version",
                f"{where} has version {describe(version)} of the result format; this is "
                f"version {self.version}.",
                self.again,
            )

    def read[M: Model](
        self, model: type[M], data: Any, where: str, check: Callable[[M], None]
    ) -> M:
        """The document, if it is as the model says, and its values go together (``check``).

        Raises:
            UsageError: ``not-a-result``, ``result-version``.
        """
        from stripe.results.model import read  # lazy

        self.require(data, where)
        try:
            found = read(model, data)
            check(found)
        except ValueError as error:
            self.refuse(where, f"{error}")
        return found

    def refuse(self, where: str, why: str) -> NoReturn:
        """Raise UsageError ``not-a-result``."""
        message = f"{where} is no result of {self.maker}: {why}."
        raise UsageError("not-a-result", message, self.make_one)


CONTAINED = 3
"""The version of the result of a trace that has its trace in itself."""

SLICES = Format(
    "stripe-result",
    4,
    "stripe",
    "A result is written by: stripe trace PROGRAM --json RESULT.json",
    "Trace the program again with this version of stripe.",
    oldest=2,  # it has no columns in short
)

SUSPECTS = Format(
    "stripe-suspects-result",
    1,
    "stripe suspects",
    "A result is written by: stripe suspects --json RESULT.json -m pytest",
    "Search again with this version of stripe.",
)

CHANGES = Format(
    "stripe-changes-result",
    1,
    "stripe changes",
    "A result is written by: stripe changes GOOD BAD --test COMMAND --json RESULT.json",
    "Search again with this version of stripe.",
)

CAUSES = Format(
    "stripe-causes-result",
    1,
    "stripe causes",
    "A result is written by: stripe causes PROGRAM --fail INPUT --pass INPUT --json RESULT.json",
    "Search again with this version of stripe.",
)

INPUTS = Format(
    "stripe-input-result",
    1,
    "stripe input",
    "A result is written by: stripe input FILE --json RESULT.json -- COMMAND",
    "Search again with this version of stripe.",
)

WHY = Format(
    "stripe-why-result",
    1,
    "stripe why",
    "A result is written by: stripe why PROGRAM --json RESULT.json",
    "Ask again with this version of stripe.",
)

"""What a document must look like: forms of values, made of smaller ones.

A form is a function that raises :class:`WrongError` for a value that is not as it should be.  Types
are exact: ``true`` is no number, ``1.0`` no integer.  The cost is proportional to the value.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

type Form = Callable[[Any], None]

LARGEST = 2**31 - 1
"""The largest number that counts or names anything in a result: traces are arrays of such."""


class WrongError(ValueError):
    """A value that is not as it should be: where (``path``), and what could be there."""

    def __init__(self, expected: str, found: Any, *path: int | str) -> None:
        super().__init__(expected)
        self.expected = expected
        self.found = describe(found)
        self.path: list[int | str] = list(path)

    def below(self, key: int | str) -> WrongError:
        """The same, seen from the container in which the value is ``key``."""
        self.path.insert(0, key)
        return self

    def __str__(self) -> str:
        where = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path)
        return (
            f"{where.removeprefix('.') or 'all of it'}: expected {self.expected}, not {self.found}"
        )


def describe(value: Any) -> str:
    """A value in a few words, whatever it is and however large."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return f"the number {value!r}"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 40 else f"a text of {len(value)} characters"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)} members"
    return f"a {type(value).__name__}"


def integer(low: int = 0, high: int = LARGEST) -> Form:
    """An integer from ``low`` to ``high``, both included."""
    expected = f"an integer from {low} to {high}"

    def form(value: Any) -> None:
        if type(value) is not int or not low <= value <= high:
            raise WrongError(expected, value)

    return form


def integers(low: int = 0, high: int = LARGEST) -> Form:
    """A list of integers; as :func:`each` of :func:`integer`, for long ones.

    Or a view of memory, which holds nothing else.
    """
    one = integer(low, high)
    some = each(one)

    def form(value: Any) -> None:
        if type(value) is memoryview:
            value = value if min(value, default=low) >= low else list(value)
        elif type(value) is not list or set(map(type, value)) - {int}:
            some(value)
        if value and not low <= min(value) <= max(value) <= high:
            some(value)

    return form


def number(low: float = 0.0, high: float = 1e10) -> Form:
    """A finite number from ``low`` to ``high``, with or without a fraction."""
    expected = f"a number from {low:g} to {high:g}"

    def form(value: Any) -> None:
        # As they are: a large integer cannot become a float.
        if type(value) not in (int, float) or value != value or not low <= value <= high:
            raise WrongError(expected, value)

    return form


def text(most: float = math.inf) -> Form:
    """A text of at most so many characters."""
    expected = "a text" if most == math.inf else f"a text of at most {most} characters"

    def form(value: Any) -> None:
        if type(value) is not str or len(value) > most:
            raise WrongError(expected, value)

    return form


def unicode(value: Any) -> None:
    """A text that can be written as UTF-8."""
    if type(value) is not str:
        raise WrongError("a text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise WrongError("a text without lone surrogates", value) from None


def system_text(value: Any) -> None:
    """A text that the operating system takes: a path, an argument."""
    if type(value) is not str:
        raise WrongError("a text", value)
    try:
        fine = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        fine = False
    if not fine:
        raise WrongError("a text that a path or an argument can be", value)


def boolean(value: Any) -> None:
    """``true`` or ``false``."""
    if type(value) is not bool:
        raise WrongError("true or false", value)


def one_of(*values: str) -> Form:
    """One of these texts."""
    expected = " or ".join(map(repr, values)).replace("'", '"')

    def form(value: Any) -> None:
        if type(value) is not str or value not in values:
            raise WrongError(expected, value)

    return form


def nullable(form: Form) -> Form:
    """``null``, or what ``form`` says."""

    def either(value: Any) -> None:
        if value is not None:
            try:
                form(value)
            except WrongError as error:
                if not error.path:
                    error.expected += ", or null"
                raise

    return either


def each(form: Form) -> Form:
    """A list of which each item is as ``form`` says."""

    def items(value: Any) -> None:
        if type(value) is not list:
            raise WrongError("a list", value)
        for index, item in enumerate(value):
            try:
                form(item)
            except WrongError as error:
                raise error.below(index) from None

    return items


def several(*forms: Form) -> Form:
    """A list of just these."""

    def items(value: Any) -> None:
        if type(value) is not list or len(value) != len(forms):
            raise WrongError(f"a list of {len(forms)}", value)
        for index, form in enumerate(forms):
            try:
                form(value[index])
            except WrongError as error:
                raise error.below(index) from None

    return items


def mapping(form: Form) -> Form:
    """An object with any members, each as ``form`` says."""

    def members(value: Any) -> None:
        if type(value) is not dict:
            raise WrongError("an object", value)
        for key, item in value.items():
            try:
                form(item)
            except WrongError as error:
                raise error.below(ascii(key)[1:-1][:40]) from None

    return members


def record(required: Mapping[str, Form], optional: Mapping[str, Form] | None = None) -> Form:
    """An object with these members, and no others."""
    optional = optional or {}
    known = {**required, **optional}
    names = set(required)

    def members(value: Any) -> None:
        if type(value) is not dict:
            raise WrongError("an object", value)
        if value.keys() != names:
            missing = sorted(names - value.keys())
            if missing:
                raise WrongError(f"the member {missing[0]!r}", value)
            strange = [key for key in value if key not in known]
            if strange:
                expected = f"no member but {', '.join(sorted(known))}"
                raise WrongError(expected, strange[0])
        for key, item in value.items():
            try:
                known[key](item)
            except WrongError as error:
                raise error.below(key) from None

    return members


def ascending(numbers: Sequence[int], *path: int | str) -> None:
    """Each number is larger than the one before."""
    for index in range(1, len(numbers)):
        if numbers[index] <= numbers[index - 1]:
            expected = f"a number above {numbers[index - 1]}, the one before it"
            raise WrongError(expected, numbers[index], *path, index)


def within(numbers: Sequence[int], count: int, *path: int | str, single: bool = False) -> None:
    """Each number is below ``count``; with ``single``, ``path`` leads to the only one."""
    if numbers and max(numbers) >= count:
        index = next(index for index, number in enumerate(numbers) if number >= count)
        where = path if single else (*path, index)
        raise WrongError(f"a number below {count}", numbers[index], *where)

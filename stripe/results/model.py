"""What models of documents are made of: the types of members with their limits, and the reader.

A model says in its docstring what its members mean; the schema has that, too.

Types are exact: ``true`` is no number, ``1.0`` no integer; a member that is not known is refused.
The cost is proportional to the document; columns are looked at as a whole, not number by number.
"""

from __future__ import annotations

import re
import sys
from abc import ABC
from array import array
from collections.abc import Sequence
from inspect import cleandoc
from types import EllipsisType
from typing import TYPE_CHECKING, Annotated, Any, Self

from stripe.documents.columns import CODED, LARGEST, LONG, Columns
from stripe.libraries import library
from stripe.results.wrong import describe, place

with library("Results cannot be written as JSON, nor read"):
    from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, structs
    from msgspec import to_builtins as plain_of
    from msgspec.json import schema_components
    from msgspec.structs import replace as changed

__all__ = ["UNSET", "Meta", "UnsetType", "changed"]

_SYSTEM = r"[^\x00\ud800-\udc7f\udd00-\udfff]"

WORDS = {
    r"^[^\ud800-\udfff]*$": "without lone surrogates",
    rf"^{_SYSTEM}*$": "that a path or an argument can be",
    rf"^{_SYSTEM}+$": "that is not empty, and a path or an argument can be",
    rf"^/{_SYSTEM}*$": "that is an absolute path",
    "^[0-9a-f]{64}$": "of 64 hexadecimal digits",
    "^[-+]": "that begins with - or +",
    "^[-+ ]": "that begins with a blank, - or +",
}
"""The patterns of texts, for people; in this order."""

UNICODE, SYSTEM, NOT_EMPTY, ABSOLUTE, DIGEST, CHANGED, SHOWN = WORDS


def text(pattern: str | None = None, most: int | None = None) -> Meta:
    """A text of such a form, of at most so many characters."""
    return Meta(pattern=pattern, max_length=most)


def whole(low: int = 0, high: int = LARGEST) -> Meta:
    """An integer from ``low`` to ``high``, both included."""
    return Meta(ge=low, le=high)


type Text = Annotated[str, text(UNICODE)]
type SystemText = Annotated[str, text(SYSTEM)]
type Program = Annotated[str, text(NOT_EMPTY)]
type Directory = Annotated[str, text(ABSOLUTE)]
type Digest = Annotated[str, text(DIGEST, 64)]
type Name = Annotated[str, text(most=10_000)]
"""What reports show in one line: kinds of statements, functions."""
type Note = Annotated[str, text(most=100_000)]
"""Notes and checks; notes are broken into lines, which takes long for long words."""
type Count = Annotated[int, whole()]
type Positive = Annotated[int, whole(1)]
type Index = Annotated[int, whole(-1)]
"""Of something that may not be there: -1."""
type Line = Annotated[int, whole(1, 10_000_000)]
type Column = Annotated[int, whole(0, 10_000_000)]
type Seconds = Annotated[float, Meta(ge=0.0, le=1e10)]
type Score = Annotated[float, Meta(ge=0.0, le=1e10)] | None


if TYPE_CHECKING:  # what they are read as; views of memory are used in the same way
    Patch = bytes
    type Numbers = array[int]
    type Facts = array[int]
    type Parents = array[int]
    type Ranges = array[int]
else:

    class Patch(bytes):
        """A patch, which JSON has as text: what is no UTF-8 in it is replaced."""

        __slots__ = ()

    class Numbers(ABC):  # noqa: B024 - arrays are such, and views of memory
        """A column of numbers from 0: a list, or a short text for many."""

        low = 0
        coded = True
        stored = False

    class Facts(Numbers):
        """The same, of which each is of an event; it may be in a file beside the document."""

        stored = True

    class Parents(Facts):
        """Events, or -1: none."""

        low = -1

    class Ranges(Numbers):
        """Numbers as first, last + 1, first, last + 1, ...: always a list."""

        coded = False

    for _kind in (Numbers, Facts, Parents, Ranges):
        _kind.register(array)
        _kind.register(memoryview)


_SCALARS = {str, int, float, bool, type(None)}


class Model(Struct, forbid_unknown_fields=True):
    """A part of a document: its members, each with type and limits."""

    @classmethod
    def copy_of(cls, source: Any, /, **others: Any) -> Self:
        """What has the attributes of ``source``, but for others."""
        names = [each for each in cls.__struct_fields__ if each not in others]
        return cls(**{name: getattr(source, name) for name in names}, **others)

    def members(self, *without: str) -> dict[str, Any]:
        """All members but these; those that are absent are not among them."""
        found = structs.asdict(self)
        return {
            name: value
            for name, value in found.items()
            if value is not UNSET and name not in without
        }

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        plain: dict[str, Any] = plain_of(self, enc_hook=_plain)
        _make_lists(plain)
        return plain


def _plain(value: bytes | array[int]) -> str | list[int]:
    """What JSON has of what it has no type for."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value.tolist()


def _make_lists(data: Any) -> None:
    """Put lists where plain data have tuples, as JSON has them."""
    for key, each in data.items() if type(data) is dict else enumerate(data):
        kind = type(each)
        if kind in _SCALARS:
            continue
        if kind is tuple:
            data[key] = each = list(each)
        _make_lists(each)


def read[M: Model](model: type[M], data: Any) -> M:
    """The document that ``data`` is.

    Raises:
        ValueError: its text says where it is not as it should be, and what could be there.
    """
    columns = Columns()

    def hook(kind: type, value: Any) -> Any:
        return _patch(value) if kind is Patch else _column(kind, value, columns)

    try:
        return convert(data, model, dec_hook=hook)
    except ValidationError as error:
        raise ValueError(_explained(str(error), data)) from None


def _patch(value: Any) -> Patch:
    if type(value) is not str:
        raise ValueError(f"expected a text, not {describe(value)}")
    return Patch(value.encode("utf-8", "surrogatepass"))


def _column(kind: Any, value: Any, columns: Columns) -> Sequence[int]:
    """The numbers of a column.  Short texts, and views of memory, hold nothing else."""
    numbers = columns.read(value) if kind.coded else value
    if type(numbers) is list:
        if numbers is value and set(map(type, numbers)) - {int}:
            raise _not_whole(kind.low, numbers)
    elif type(numbers) is not memoryview:
        raise ValueError(f"expected a list, not {describe(numbers)}")
    if numbers and not kind.low <= min(numbers) <= max(numbers) <= LARGEST:
        raise _not_whole(kind.low, numbers)
    return numbers if type(numbers) is memoryview else array("i", numbers)


def _not_whole(low: int, column: Sequence[Any]) -> ValueError:
    index, found = next(
        (index, each)
        for index, each in enumerate(column)
        if type(each) is not int or not low <= each <= LARGEST
    )
    what = f"expected an integer from {low} to {LARGEST}, not {describe(found)}"
    return ValueError(f"{what} - at `$[{index}]`")


_PLACES = re.compile(r"(?: - at `\$[^`\n]*`)+\Z")
_KEY = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_TYPES = {"int": "an integer", "float": "a number", "str": "a text", "bool": "true or false",
          "array": "a list", "object": "an object", "null": "null"}  # fmt: skip


def _explained(message: str, data: Any) -> str:
    """What the library says of a value, with our words for places and types."""
    where = _PLACES.search(message)
    path: list[int | str | EllipsisType] = []
    if where is not None:
        message = message[: where.start()]
        # The inner place comes first.
        inward = "".join(re.findall(r"\$([^`]*)", where[0])[::-1])
        path = [
            name or (int(index) if index.isdigit() else ...) for name, index in _KEY.findall(inward)
        ]
    if message.startswith("Expected"):
        expected, _, pattern = message.partition(" matching regex ")
        expected = re.sub(r", got .*", "", expected).removeprefix("Expected ")
        expected = re.sub(r"`([a-z |]+)`", _types, expected)
        if pattern:
            expected += f" {next(WORDS[each] for each in WORDS if repr(each) == pattern)}"
        found = "" if ... in path else f", not {describe(_value(data, path))}"
        return f"{place(path)}: expected {expected}{found}"
    words = message[:200].replace("`", "'").replace(" field ", " member ")
    return f"{place(path)}: {words[:1].lower()}{ascii(words[1:])[1:-1]}"


def _types(names: re.Match[str]) -> str:
    return ", or ".join(_TYPES.get(each, each) for each in names[1].split(" | "))


def _value(data: Any, path: Sequence[int | str | EllipsisType]) -> Any:
    """Where a path leads."""
    try:
        for key in path:
            data = data[key]
    except (LookupError, TypeError):
        return None
    return data


def schema(model: type[Model], identity: str, title: str) -> dict[str, Any]:
    """The JSON Schema of a document; what it describes is what the docstrings of the models say."""
    _, parts = schema_components([model], schema_hook=_column_schema)
    known = vars(sys.modules["stripe.dd"]) | vars(sys.modules[model.__module__])
    for name, part in parts.items():
        if issubclass(known[name], Model):
            _describe(part, known[name])
        else:
            part["description"] = " ".join(part["description"].split())
    root = parts.pop(model.__name__)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": identity}
    return {**head, **root, "title": title, "$defs": parts}


def _describe(part: dict[str, Any], model: type[Model]) -> None:
    """Put what a docstring says of a part, and of its members, into a schema."""
    head, *items = cleandoc(model.__doc__ or "").split("\n- ")
    part["description"] = " ".join(head.split())
    written = dict(zip(model.__struct_fields__, model.__struct_encode_fields__, strict=True))
    for item in items:
        names, _, words = item.partition(": ")
        for name in re.findall(r"``(\w+)``", names):
            member = part["properties"][written[name]]
            part["properties"][written[name]] = {"description": " ".join(words.split()), **member}


def _column_schema(kind: Any) -> dict[str, Any]:
    if kind is Patch:
        return {"type": "string"}
    numbers = {"type": "integer", "minimum": kind.low, "maximum": LARGEST}
    plain = {"type": "array", "items": numbers}
    if not kind.coded:
        return plain
    short = {
        "description": f"More than {LONG:,} numbers in short: Base64 of what zlib has made of the "
        "differences of neighbours, four bytes each, the lowest first.",
        "type": "string",
        "pattern": f"^{CODED}[A-Za-z0-9+/]+=*$",
    }
    elsewhere = {
        "description": "The column is in the file that the trace names as stored.",
        "const": "stored",
    }
    return {"anyOf": [plain, short, *([elsewhere] if kind.stored else ())]}

"""Mutation operators of expressions: another operator, constant, name, argument or pattern."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .facts import NO_CALLS, Calls, Facts


class Change(NamedTuple):
    """What comes in the place of a node: its ``kind``, its ``size`` (1 is small), and the text.

    ``line``: where the mistake would be, if not where the node begins: of what is moved.
    """

    kind: str
    size: int
    text: str
    line: int = 0


class Names(NamedTuple):
    """What is there to be named instead: variables, attributes by what they are of, functions.

    ``values``: literals that variables were seen to hold, by name; ``numbers``: what stands in the
    function, but for 0 and 1; ``texts``: short ones that do, as literals; ``types``: those that the
    file asks about by ``isinstance``; ``said``: variables of which methods are called that only
    texts have, which may be too long for ``values``; ``words``: short texts of the function, and
    then of the file; ``facts`` and ``calls``: what the function does with them, and how others
    call; ``parts``: attributes of the objects that variables held, and ``sequences``: of which type
    those were that can be indexed.
    """

    variables: list[str]
    attributes: dict[str, list[str]]
    functions: dict[str, int]
    values: dict[str, list[str]]
    numbers: list[str]
    texts: list[str]
    types: list[str]
    said: set[str]
    words: Sequence[str] = ()
    facts: Facts = Facts()
    calls: Calls = NO_CALLS
    parts: Mapping[str, Sequence[str]] = {}
    sequences: Mapping[str, str] = {}

    def kinds(self, name: str) -> set[str]:
        """What a variable was seen to hold: numbers, texts, or something else."""
        texts = [each for each in self.values.get(name, ()) if each != "None"]
        said = {"text"} if name in self.said else {"other"}
        return {_kind(each) for each in texts} or said

    def alike(self, one: str, other: str) -> bool:
        """Whether one variable may be mistaken for another one, by what they were seen to hold."""
        return not self.kinds(one).isdisjoint(self.kinds(other))

    def textual(self, name: str) -> bool:
        """Whether a variable was seen to hold texts."""
        return "text" in self.kinds(name)

    def numeric(self, name: str) -> bool:
        """Whether a variable may hold numbers."""
        return name not in self.values or "number" in self.kinds(name)


def _kind(text: str) -> str:
    if text.lstrip("-")[:1].isdigit() or text in ("True", "False"):
        return "number"
    return "text" if text.lstrip("b")[:1] in ("'", '"') else "other"


COMPARED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # first the boundary, then the others
    "Lt": (("<=",), (">", ">=", "!=")), "LtE": (("<",), (">=", ">", "==")),
    "Gt": ((">=",), ("<", "<=", "!=")), "GtE": ((">",), ("<=", "<", "==")),
    "Eq": (("!=",), (">=", "<=", "<", ">")), "NotEq": (("==",), ("<", ">")),
    "Is": (("is not", "=="), ()), "IsNot": (("is", "!="), ()),
    "In": (("not in",), ("==",)), "NotIn": (("in",), ("!=",)),
}  # fmt: skip
CALCULATED: dict[str, tuple[str, ...]] = {
    "Add": ("-", "*", "|"), "Sub": ("+", "*", "%", "/"),
    "Mult": ("+", "**", "/", "//", "%", "-"),
    "Div": ("//", "*"), "FloorDiv": ("/", "*", "%"), "Mod": ("//", "*"), "Pow": ("*",),
    "LShift": (">>",), "RShift": ("<<",), "BitAnd": ("|", "^"), "BitOr": ("&", "^", "+"),
    "BitXor": ("|", "&"), "MatMult": ("*",),
}  # fmt: skip
ALIKE = [
    "append extend add insert", "extend append update", "add discard remove update",
    "pop popleft", "append appendleft", "lower upper casefold title capitalize swapcase",
    "strip lstrip rstrip", "startswith endswith", "find rfind index count", "rindex index",
    "split rsplit splitlines", "partition rpartition", "encode decode",
    "keys values items", "get pop setdefault",
    "isdigit isalpha isalnum isdecimal isnumeric isspace", "isupper islower istitle",
    "ljust rjust center zfill",
    "union intersection difference symmetric_difference", "issubset issuperset",
    "removeprefix removesuffix", "match search fullmatch", "findall finditer", "real imag",
    "heappush heappop", "bisect_left bisect_right bisect", "days seconds total_seconds",
    "min max", "any all", "sum len max", "ceil floor trunc round", "int float round str",
    "list tuple set sorted reversed", "str repr", "isinstance issubclass", "divmod pow",
    "chain zip", "sin cos tan", "log log2 log10", "copy deepcopy",
]  # fmt: skip
WORDS: dict[str, list[str]] = {}
for _group in ALIKE:
    _first, *_others = _words = _group.split()
    for _word in _words:
        WORDS.setdefault(_word, []).extend(
            each for each in _words if each != _word and each not in WORDS.get(_word, ())
        )


_CALCULATING = (
    *(ast.BinOp, ast.Compare, ast.Subscript, ast.Call, ast.keyword, ast.Return, ast.Assign),
    ast.Slice,
)


def operand_changes(node: Any, parent: Any, field: str, names: Names) -> Iterator[Change]:
    """The changes of one expression."""
    maker = _MAKERS.get(type(node).__name__)
    if maker is not None:
        yield from maker(node, names)
    if field == "test" or isinstance(parent, ast.BoolOp):
        yield from _condition(node)
    calculated = isinstance(parent, _CALCULATING) and field != "func" and _number(node)
    if calculated or (isinstance(parent, ast.Tuple) and _counts(node, names)):
        yield from _by_one(node)


def _by_one(node: Any) -> Iterator[Change]:
    for operator in (ast.Add(), ast.Sub()):
        more = ast.BinOp(node, operator, ast.Constant(1))
        yield Change("off by one", 2, ast.unparse(more))


def _counts(node: Any, names: Names) -> bool:
    """Whether a part of a tuple is a number, as far as it was seen: an index of several."""
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load) and "number" in names.kinds(node.id)
    return isinstance(node, ast.Call) and _number(node)


def _number(node: Any) -> bool:
    """Whether it may be a number that is no literal."""
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in (
            "len", "int", "sum", "min", "max", "abs", "round", "ord")  # fmt: skip
    return isinstance(node, ast.BinOp | ast.Subscript | ast.Attribute) and isinstance(
        getattr(node, "ctx", None) or ast.Load(), ast.Load
    )


def _with(node: Any, **fields: Any) -> str:
    """The text of a node with other fields."""
    return ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **fields}))


def _operator(symbol: str) -> Any:
    return ast.parse(f"a {symbol} b", mode="eval").body


def _compare(node: ast.Compare, names: Names) -> Iterator[Change]:
    for index, operator in enumerate(node.ops):
        sides = (node.left, *node.comparators)[index : index + 2]
        for size, symbols in enumerate(COMPARED[type(operator).__name__], 1):
            for symbol in symbols:
                if symbol[0] in "<>" and not all(map(_ordered, sides)):
                    continue
                ops = [*node.ops]
                ops[index] = _operator(symbol).ops[0]
                yield Change("comparison", size, _with(node, ops=ops))
    if len(node.ops) == 1:
        left, right = node.left, node.comparators[0]
        yield Change("operands swapped", 2, _with(node, left=right, comparators=[left]))


def _ordered(node: Any) -> bool:
    """Whether one may ask if it is larger: nobody does of a word, of ``True`` or of nothing."""
    plain = isinstance(node, ast.Constant)
    return not plain or (isinstance(node.value, int | float) and type(node.value) is not bool)


def _binary(node: ast.BinOp, names: Names) -> Iterator[Change]:
    for symbol in CALCULATED[type(node.op).__name__]:
        yield Change("operator", 1, _with(node, op=_operator(symbol).op))
    if not isinstance(node.op, ast.Mult) and (
        not isinstance(node.op, ast.Add) or _joined(node.left, names) or _joined(node.right, names)
    ):
        yield Change("operands swapped", 1, _with(node, left=node.right, right=node.left))
    yield Change("operand", 2, ast.unparse(node.left))
    yield Change("operand", 2, ast.unparse(node.right))
    # Another bracketing: a + b * c for (a + b) * c.
    if isinstance(node.left, ast.BinOp):
        inner = node.left
        moved = ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, node.op, node.right))
        yield Change("brackets", 2, ast.unparse(moved))
    if isinstance(node.right, ast.BinOp):
        inner = node.right
        moved = ast.BinOp(ast.BinOp(node.left, node.op, inner.left), inner.op, inner.right)
        yield Change("brackets", 2, ast.unparse(moved))


def _joined(node: Any, names: Names) -> bool:
    """Whether what is added is no number, so that the order matters."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    if isinstance(node, ast.Name):
        return node.id in names.sequences or names.textual(node.id)
    return isinstance(node, ast.List | ast.Tuple | ast.JoinedStr | ast.ListComp) or (
        isinstance(node, ast.BinOp) and (_joined(node.left, names) or _joined(node.right, names))
    )


def _boolean(node: ast.BoolOp, names: Names) -> Iterator[Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Change("and/or", 1, _with(node, op=other))
    if len(node.values) == 2:
        yield Change("operands swapped", 2, _with(node, values=node.values[::-1]))
    for index in range(len(node.values)):
        rest = node.values[:index] + node.values[index + 1 :]
        text = ast.unparse(rest[0]) if len(rest) == 1 else _with(node, values=rest)
        yield Change("operand", 2, text)


def _unary(node: ast.UnaryOp, names: Names) -> Iterator[Change]:
    yield Change("negation", 1, ast.unparse(node.operand))
    if isinstance(node.op, ast.USub):
        yield Change("operator", 2, f"abs({ast.unparse(node.operand)})")


def _condition(node: Any) -> Iterator[Change]:
    text = ast.unparse(node)
    if isinstance(node, ast.UnaryOp | ast.Compare | ast.Constant) and not (
        isinstance(node, ast.Compare) and len(node.ops) > 1
    ):
        pass  # they have a negation of their own
    else:
        yield Change("negation", 1, f"not ({text})")
    if not isinstance(node, ast.Constant):
        yield Change("condition", 2, "True")
        yield Change("condition", 2, "False")


def _constant(node: ast.Constant, names: Names) -> Iterator[Change]:
    value = node.value
    if value is None or value is Ellipsis:
        if value is None:
            for text in ("0", "''", "[]", "True", "False"):
                yield Change("constant", 2, text)
    elif isinstance(value, bool):
        yield Change("constant", 1, repr(not value))
    elif isinstance(value, int):
        for other in dict.fromkeys((value + 1, value - 1, 0, 1, -value, 2, 10 * value)):
            if other != value:
                yield Change("constant", 1 if abs(other - value) == 1 else 2, repr(other))
        yield Change("constant", 2, "None")
    elif isinstance(value, float):
        steps = (value + 1, value - 1, 0.0, 1.0, -value)
        scaled = (value * 10, value / 10, value * 100, value / 100, value * 2, value / 2)
        for decimal in dict.fromkeys((*steps, *scaled)):
            yield Change("constant", 2, repr(decimal))
    elif isinstance(value, str):
        yield from strings(value)
    elif isinstance(value, bytes) and value:
        yield Change("constant", 2, "b''")


def strings(value: str) -> Iterator[Change]:
    """What may be wrong in a string: case, space at its ends; and in a pattern."""
    yielded = {value}
    if len(value) > 1 and re.search(r"[\\[\](){}*+?^$|.]", value):
        for other in patterns(value):
            if other not in yielded:
                yielded.add(other)
                yield Change("pattern", 1, repr(other))
    for other in (value.lower(), value.upper(), value.capitalize(), value.strip(), f"{value} ",
                  f" {value}", value.rstrip("."), f"{value}\n", value[1:], value[:-1],
                  value.replace("%d", "%s"), value.replace(",", ", ")):  # fmt: skip
        if other not in yielded:
            yielded.add(other)
            yield Change("string", 1 if other.lower() == value.lower() else 2, repr(other))
    for other in ("", " ", ",", "0", "-", "\n", "_"):
        if other not in yielded:
            yielded.add(other)
            yield Change("string", 2, repr(other))


_CLASSES = {
    "d": "wDs", "w": "dWS", "s": "Sw", "b": "B", "S": "sw", "W": "w", "D": "d", "Z": "z", "B": "b",
}  # fmt: skip


def patterns(value: str) -> list[str]:
    """Regular expressions with one thing otherwise: first those with one thing for another.

    Some are none, which the run finds out.
    """
    return sorted(_patterns(value), key=lambda other: abs(len(other) - len(value)))


def _patterns(value: str) -> Iterator[str]:
    yield value[1:] if value.startswith("^") else f"^{value}"
    yield value[:-1] if value.endswith("$") else f"{value}$"
    index = 0
    inside = False  # of [...]
    while index < len(value):
        sign = value[index]
        before, after = value[:index], value[index + 1 :]
        if sign == "\\" and after:
            yield from _escaped(before, after, inside)
            index += 2
            continue
        if inside:
            yield from _in_class(before, sign, after)
            inside = sign != "]"
        elif sign == "{":
            yield from _counted(before, value[index:])
        else:
            yield from _of_sign(before, sign, after)
            inside = sign == "["
        index += 1


def _repeated(before: str, after: str) -> Iterator[str]:
    """What has no quantifier has one."""
    if after[:1] not in tuple("*+?{"):
        for quantifier in "+*?":
            yield f"{before}{quantifier}{after}"


def _escaped(before: str, after: str, inside: bool) -> Iterator[str]:
    """A backslash between these: it is another class, or none, or repeated."""
    for other in _CLASSES.get(after[0], ()):
        yield f"{before}\\{other}{after[1:]}"
    if not after[0].isalnum():
        yield f"{before}{after}"
    if not inside:
        yield from _repeated(f"{before}\\{after[0]}", after[1:])


def _in_class(before: str, sign: str, after: str) -> Iterator[str]:
    """A sign of a set of characters, which has more of them, or fewer."""
    if sign == "^" and before[-1] == "[":
        yield before + after
    if sign == "]":
        yield from _repeated(f"{before}]", after)
        for more in ("_", "-", ".", "a-z", "A-Z", "0-9", "\\s", "+"):
            yield f"{before}{more}]{after}"
    elif after[:1] != "-":
        yield before + after


def _of_sign(before: str, sign: str, after: str) -> Iterator[str]:
    """Any other sign."""
    if sign == "[":
        if after[:1] != "^":
            yield f"{before}[^{after}"
    elif sign in "*+?":
        for other in "*+?":
            if other != sign:
                yield f"{before}{other}{after}"
        yield before + after
        if after[:1] != "?":
            yield f"{before}{sign}?{after}"
    elif sign == ".":
        yield f"{before}\\.{after}"
        yield f"{before}[\\s\\S]{after}"
    elif sign == "|":
        yield before + after
    elif sign == "(":
        if after[:1] != "?":
            yield f"{before}(?:{after}"
    elif sign == ")":
        if after[:1] not in tuple("?*+{"):
            yield f"{before})?{after}"
    elif sign.isalnum() or sign in " -_":
        yield f"{before}{sign}?{after}"


def _counted(before: str, rest: str) -> Iterator[str]:
    """A quantifier by numbers, if that is what begins here: one more, one less, no limit."""
    found = re.match(r"\{(\d*)(,?)(\d*)\}", rest)
    if found is None:
        return
    low, comma, high = found.groups()
    after = rest[found.end() :]
    if low:
        for number in (int(low) + 1, max(0, int(low) - 1)):
            yield f"{before}{{{number}{comma}{high}}}{after}"
    if high:
        for number in (int(high) + 1, max(0, int(high) - 1)):
            yield f"{before}{{{low}{comma}{number}}}{after}"
    if not comma:
        yield f"{before}{{{low},}}{after}"


def _name(node: ast.Name, names: Names) -> Iterator[Change]:
    if not isinstance(node.ctx, ast.Load):
        return
    if node.id in names.variables:
        for other in names.variables:
            if other != node.id:
                yield Change("variable", 1 if names.alike(node.id, other) else 2, other)
        for text in names.values.get(node.id, ()):
            yield Change("value", 3, text)
    for other in WORDS.get(node.id, ()):
        if node.id not in names.variables and node.id not in names.functions:
            yield Change("function", 1, other)
    if node.id in names.functions:
        for other, count in names.functions.items():
            if other != node.id and count == names.functions[node.id]:
                yield Change("function", 1, other)


def _attribute(node: ast.Attribute, names: Names) -> Iterator[Change]:
    if not isinstance(node.ctx, ast.Load):
        return
    for other in WORDS.get(node.attr, ()):
        yield Change("method", 1, _with(node, attr=other))
    value = ast.unparse(node.value)
    read = names.attributes.get(value, ())
    for other in read:
        if other != node.attr:
            yield Change("attribute", 1, _with(node, attr=other))
    for other in names.parts.get(value, ()):
        if other != node.attr and other not in read:
            yield Change("attribute", 2, _with(node, attr=other))


def _call(node: ast.Call, names: Names) -> Iterator[Change]:
    arguments = node.args
    for index in range(len(arguments) - 1):
        args = [*arguments]
        args[index], args[index + 1] = args[index + 1], args[index]
        yield Change("arguments swapped", 1, _with(node, args=args))
    if len(arguments) == 1 and not node.keywords and not isinstance(arguments[0], ast.Starred):
        yield Change("operand", 2, ast.unparse(arguments[0]))
    for index in range(len(arguments)):
        if len(arguments) > 1:
            yield Change(
                "argument", 2, _with(node, args=arguments[:index] + arguments[index + 1 :])
            )
    for index in range(len(node.keywords)):
        rest = node.keywords[:index] + node.keywords[index + 1 :]
        yield Change("argument", 2, _with(node, keywords=rest))
    if isinstance(node.func, ast.Attribute):
        if not arguments or node.func.attr in (
            "strip",
            "lower",
            "upper",
            "copy",
            "lstrip",
            "rstrip",
        ):
            yield Change("operand", 2, ast.unparse(node.func.value))
    elif isinstance(node.func, ast.Name) and node.func.id == "range":
        yield from _range(node)
    elif isinstance(node.func, ast.Name) and node.func.id == "sorted" and not node.keywords:
        backwards = ast.keyword("reverse", ast.Constant(True))
        yield Change("argument", 2, _with(node, keywords=[backwards]))


def _range(node: ast.Call) -> Iterator[Change]:
    arguments = [ast.unparse(each) for each in node.args]
    if len(arguments) == 1:
        yield Change("off by one", 1, f"range(1, {arguments[0]})")
        yield Change("off by one", 1, f"range(1, {arguments[0]} + 1)")
    elif len(arguments) == 2:
        yield Change("argument", 2, f"range({arguments[1]})")
    if len(arguments) < 3:
        yield Change("order", 2, f"reversed({ast.unparse(node)})")


def _subscript(node: ast.Subscript, names: Names) -> Iterator[Change]:
    if isinstance(node.ctx, ast.Load):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            yield Change("constant", 1, f"{ast.unparse(node.value)}[-1]")
            yield Change("constant", 1, f"{ast.unparse(node.value)}[0]")
        if isinstance(node.slice, ast.Slice):
            value, part = ast.unparse(node.value), node.slice
            yield Change("operand", 2, value)
            for name in ("lower", "upper", "step"):
                if getattr(part, name) is not None:
                    yield Change("slice", 1, f"{value}[{_with(part, **{name: None})}]")
            if part.lower is None:
                yield Change("slice", 2, f"{value}[{_with(part, lower=ast.Constant(1))}]")
            if part.upper is None:
                yield Change("slice", 2, f"{value}[{_with(part, upper=ast.Constant(-1))}]")
            if part.step is None:
                yield Change("slice", 2, f"{value}[{_with(part, step=ast.Constant(-1))}]")


def _choice(node: ast.IfExp, names: Names) -> Iterator[Change]:
    yield Change("operands swapped", 1, _with(node, body=node.orelse, orelse=node.body))
    yield Change("operand", 2, ast.unparse(node.body))
    yield Change("operand", 2, ast.unparse(node.orelse))


def _comprehension(node: Any, names: Names) -> Iterator[Change]:
    for index, generator in enumerate(node.generators):
        if generator.ifs:
            rest = [*node.generators]
            rest[index] = ast.comprehension(
                generator.target, generator.iter, [], generator.is_async
            )
            yield Change("condition", 2, _with(node, generators=rest))
            rest = [*rest]
            negated = ast.UnaryOp(ast.Not(), generator.ifs[0])
            rest[index] = ast.comprehension(
                generator.target, generator.iter, [negated, *generator.ifs[1:]], generator.is_async
            )
            yield Change("negation", 1, _with(node, generators=rest))


_MAKERS: dict[str, Any] = {
    "Compare": _compare, "BinOp": _binary, "BoolOp": _boolean, "UnaryOp": _unary,
    "Constant": _constant, "Name": _name, "Attribute": _attribute, "Call": _call,
    "Subscript": _subscript, "IfExp": _choice, "ListComp": _comprehension,
    "SetComp": _comprehension, "GeneratorExp": _comprehension, "DictComp": _comprehension,
}  # fmt: skip

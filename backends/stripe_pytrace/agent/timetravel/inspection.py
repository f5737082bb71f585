"""Values as a debugger shows them: text, and their parts in pages."""

from __future__ import annotations

from types import CodeType
from typing import Any

LONGEST_TEXT = 2_000
"""Characters of a value's ``repr`` that are shown."""

NAMELESS = frozenset(["locals", "vars", "dir", "eval", "exec", "globals"])
"""By these an expression uses variables that it does not name."""


def text_of(value: Any) -> str:
    """``repr`` of a value, cut; one that raises is told as such."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<repr() raised {type(error).__name__}>"
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "..."


def parts_of(value: Any) -> list[tuple[str, Any]]:
    """The named parts of a value: items of containers, attributes of other objects."""
    if isinstance(value, dict):
        return [(text_of(key), item) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [(f"[{number}]", item) for number, item in enumerate(value)]
    if isinstance(value, (set, frozenset)):
        return [(f"{{{number}}}", item) for number, item in enumerate(value)]
    if isinstance(value, type) or callable(value):
        return []
    found: dict[str, Any] = dict(getattr(value, "__dict__", None) or {})
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                found.setdefault(name, object.__getattribute__(value, name))
            except AttributeError:
                continue
    return list(found.items())


def described(value: Any) -> dict[str, Any]:
    """A value as it is told: its text, its type, and how many parts it has."""
    return {
        "text": text_of(value),
        "type": type(value).__qualname__,
        "parts": len(parts_of(value)),
    }


class Expression:
    """An expression, or statements, compiled once; its value in frames.

    Nested scopes (comprehensions, lambdas) see the frame's locals as well.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        try:
            code = compile(text, "<debug>", "eval", dont_inherit=True)
        except SyntaxError:
            code = compile(text, "<debug>", "exec", dont_inherit=True)
        self.code = code
        self._nests = any(isinstance(each, CodeType) for each in code.co_consts)
        # Of a frame's locals only those are fetched that are named, unless it may want all.
        self._names = None if NAMELESS.intersection(code.co_names) else code.co_names

    def value(self, frame: Any) -> Any:
        """Its value; of statements, ``None`` once executed."""
        names = frame.f_locals
        if self._nests:
            return eval(self.code, {**frame.f_globals, **names})
        if self._names is None:
            return eval(self.code, frame.f_globals, dict(names))
        own = {name: names[name] for name in self._names if name in names}
        return eval(self.code, frame.f_globals, own)


def inspected(frame: Any, order: dict[str, Any]) -> dict[str, Any]:
    """Answer an order: the value of its ``expression``, or of one of its bases, or their parts.

    Of ``owned``: the frame's module, and whether a name in the expression is the function's own.
    """
    if order["base"] == "expression":
        value = Expression(order["expression"]).value(frame)
    elif order["base"] == "owned":
        code = frame.f_code
        own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        value = (
            frame.f_globals.get("__name__"),
            any(name in own for name in order["expression"].split()),
        )
    elif order["base"] == "globals":
        value = {k: v for k, v in frame.f_globals.items() if not k.startswith("__")}
    else:
        value = dict(frame.f_locals)
    named = order["base"] in (
        "locals",
        "globals",
    )  # a scope's parts are names, not the keys of a dict
    for step in order["path"]:
        value = (list(value.items()) if named else parts_of(value))[step][1]
        named = False
    if not order["open"]:
        return {"value": described(value)}
    parts = list(value.items()) if named else parts_of(value)
    start = order["start"]
    page = parts[start : start + order["count"]]
    return {"parts": [{"name": name, **described(part)} for name, part in page]}

"""Values as a debugger shows them: text, and their parts in pages."""

from __future__ import annotations

from typing import Any

LONGEST_TEXT = 2_000
"""Characters of a value's ``repr`` that are shown."""


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


def evaluated(frame: Any, expression: str) -> Any:
    """The value of an expression in a frame; of statements, ``None`` after they were executed.

    Nested scopes (comprehensions, lambdas) see the frame's locals as well.
    """
    names = {**frame.f_globals, **frame.f_locals}
    try:
        code = compile(expression.strip(), "<debug>", "eval", dont_inherit=True)
    except SyntaxError:
        exec(compile(expression, "<debug>", "exec", dont_inherit=True), names)
        return None
    return eval(code, names)


def inspected(frame: Any, order: dict[str, Any]) -> dict[str, Any]:
    """Answer an order: the value of its ``expression``, or of one of its bases, or their parts."""
    if order["base"] == "expression":
        value = evaluated(frame, order["expression"])
    elif order["base"] == "globals":
        value = {k: v for k, v in frame.f_globals.items() if not k.startswith("__")}
    else:
        value = dict(frame.f_locals)
    named = order["base"] != "expression"  # a scope's parts are names, not the keys of a dict
    for step in order["path"]:
        value = (list(value.items()) if named else parts_of(value))[step][1]
        named = False
    if not order["open"]:
        return {"value": described(value)}
    parts = list(value.items()) if named else parts_of(value)
    start = order["start"]
    page = parts[start : start + order["count"]]
    return {"parts": [{"name": name, **described(part)} for name, part in page]}

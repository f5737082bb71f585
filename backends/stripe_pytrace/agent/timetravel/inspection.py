"""Values as a debugger shows them: text, and their parts in pages."""

from __future__ import annotations

from types import CodeType
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


NAMELESS = frozenset(["locals", "vars", "dir", "eval", "exec", "super", "__class__"])
"""By these an expression may use variables that it does not name."""

CO_OPTIMIZED = 1
"""The flag of functions, whose variables are known before they run."""


class Expression:
    """An expression, or statements, compiled once; its value in frames.

    Nested scopes (comprehensions, lambdas) see the frame's locals as well.  For frames of functions
    it is made a function of their variables, which takes a third of the time of ``eval``.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        try:
            code = compile(text, "<debug>", "eval", dont_inherit=True)
        except SyntaxError:
            code = compile(text, "<debug>", "exec", dont_inherit=True)
            self._text = ""
        else:
            self._text = "" if NAMELESS.intersection(_names(code)) or ":=" in text else text
        self.code = code
        self._latest: tuple[Any, Any, list[str], Any] = None, None, [], None

    def value(self, frame: Any, code: Any = None) -> Any:
        """Its value; of statements, ``None`` once executed.  No variable of the frame is set.

        ``code`` is that of the frame: to ask for it tells audit hooks, which takes as long as all.
        """
        if self._text:
            code = code or frame.f_code
            of, space, names, function = self._latest
            if of is not code or space is not frame.f_globals:
                names, function = self._compile_for(code, frame.f_globals)
            if function is not None:
                own = frame.f_locals
                try:
                    values = [own[name] for name in names]
                except KeyError:
                    pass  # not bound yet: a global one of that name counts
                else:
                    return function(*values)
        if any(isinstance(each, CodeType) for each in self.code.co_consts):
            return eval(self.code, {**frame.f_globals, **frame.f_locals})
        return eval(self.code, frame.f_globals, dict(frame.f_locals))

    def _compile_for(self, code: Any, space: Any) -> tuple[list[str], Any]:
        """The variables of a function that the expression uses, and a function of these."""
        names, function = list[str](), None
        if code.co_flags & CO_OPTIMIZED:
            own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
            used = dict.fromkeys(_names(self.code))
            names = [name for name in used if name in own and name.isidentifier()]
            text = f"lambda {', '.join(names)}: (\n{self._text}\n)"
            function = eval(compile(text, "<debug>", "eval", dont_inherit=True), space)
        self._latest = code, space, names, function
        return names, function


def _names(code: CodeType) -> list[str]:
    """The names that an expression uses, with those in its nested scopes."""
    found = [*code.co_names, *code.co_freevars, *code.co_varnames]
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found += _names(each)
    return found


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

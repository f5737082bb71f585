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


class Unbound(Exception):
    """A variable of the frame has no value yet."""


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
        self._latest: tuple[Any, Any, Any] = None, None, None

    def value(self, frame: Any, code: Any = None) -> Any:
        """Its value; of statements, ``None`` once executed.  No variable of the frame is set.

        ``code`` is that of the frame: to ask for it tells audit hooks, which takes as long as all.
        """
        function = self.function_for(code or frame.f_code, frame.f_globals)
        if function is not None:
            try:
                return function(frame.f_locals)
            except Unbound:
                pass  # a global one of that name counts
        if any(isinstance(each, CodeType) for each in self.code.co_consts):
            return eval(self.code, {**frame.f_globals, **frame.f_locals})
        return eval(self.code, frame.f_globals, dict(frame.f_locals))

    def function_for(self, code: Any, space: Any) -> Any:
        """Its value as a function of a frame's locals, for frames of ``code`` in a module's space.

        It raises :class:`Unbound` where a local variable is not set.  None where variables are not
        known before the code runs, as those of classes, or where the expression asks for more.
        """
        of, within, function = self._latest
        if of is code and within is space:
            return function
        function = None
        if self._text and code.co_flags & CO_OPTIMIZED:
            named = _names(self.code)
            own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
            used = [name for name in dict.fromkeys(named) if name in own and name.isidentifier()]
            hidden = "_" * (1 + max(map(len, named), default=0))  # names nothing in there
            lines = [
                f"def function({hidden}, {hidden}_={hidden}_):",
                " try:",
                *(f"  {name} = {hidden}[{name!r}]" for name in used),
                "  pass",
                " except KeyError:",
                f"  raise {hidden}_",
                f" return (\n{self._text}\n)",
            ]
            made = {f"{hidden}_": Unbound}
            exec(compile("\n".join(lines), "<debug>", "exec", dont_inherit=True), space, made)
            function = made["function"]
        self._latest = code, space, function
        return function


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

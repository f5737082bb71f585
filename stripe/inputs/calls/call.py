"""One call of a Python function: what was called, with what, and how it ended."""

from __future__ import annotations

import copy
import inspect
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from stripe.inputs.calls.origins import Origins


@dataclass(frozen=True, slots=True)
class Parameters:
    """The names of a function's parameters, by kind."""

    positional_only: tuple[str, ...] = ()
    positional: tuple[str, ...] = ()
    variadic: str | None = None
    keyword_only: tuple[str, ...] = ()
    keywords: str | None = None

    @classmethod
    def from_code(cls, code: CodeType) -> Parameters:
        """Return the parameters of the function with this code."""
        names = code.co_varnames
        first, last = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
        variadic = keywords = None
        rest = last
        if code.co_flags & inspect.CO_VARARGS:
            variadic, rest = names[rest], rest + 1
        if code.co_flags & inspect.CO_VARKEYWORDS:
            keywords = names[rest]
        only = code.co_posonlyargcount
        return cls(names[:only], names[only:first], variadic, names[first:last], keywords)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the signature."""
        variadic = () if self.variadic is None else (self.variadic,)
        keywords = () if self.keywords is None else (self.keywords,)
        return (
            *self.positional_only,
            *self.positional,
            *variadic,
            *self.keyword_only,
            *keywords,
        )


@dataclass(slots=True)
class Call:
    """A call that was observed; calling it makes the call again."""

    function: Callable[..., Any]
    name: str
    """How the function is called in reports: a method with its class."""
    arguments: dict[str, Any]
    """Parameter -> value when the call began. Variadic ones are a tuple and a dict."""
    parameters: Parameters
    exception: BaseException | None = None
    elapsed: float = 0.0
    """Seconds until it ended."""
    memo: dict[int, Any] = field(default_factory=dict)
    """What `copied_value` has noted down while it copied the arguments: see `origins`."""
    shared: tuple[str, ...] = ()
    """Parameters whose value cannot be copied: all calls share the observed one."""
    asked_for: bool = False
    """Whether the user named its function."""
    consumes: Callable[[Any], Any] = field(default=lambda result: result)
    """Runs what the function returns: generators and coroutines do nothing until then."""

    def __call__(self, arguments: Mapping[str, Any] | None = None) -> Any:
        """Call the function; `arguments` take the place of the observed ones of these names."""
        names = self.parameters
        values = self.arguments | dict(arguments or {})
        positional = [values.pop(name) for name in (*names.positional_only, *names.positional)]
        if names.variadic is not None:
            positional += values.pop(names.variadic)
        keywords = dict(values.pop(names.keywords)) if names.keywords is not None else {}
        return self.consumes(self.function(*positional, **values, **keywords))

    def copied(self, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return copies of all arguments, `arguments` in place of the observed ones."""
        memo: dict[int, Any] = {}
        return {
            name: value if name in self.shared else copied_value(value, memo)
            for name, value in self.completed(arguments or {}).items()
        }

    def origins(self) -> Origins:
        """Return which objects of the caller's the arguments were copied from."""
        return Origins(self.memo)

    def completed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all arguments, those that are not given as they were observed.

        If such a one has mutable objects of the caller's in common with those given, it is the
        caller's own as well: a tree has to go with the nodes of it that are given.
        """
        everything = self.arguments | dict(given)
        missing = {name: one for name, one in self.arguments.items() if name not in given}
        reached = _reached(given.values()) if missing and given else set()
        for name, own in self.origins().own(missing, changed=True).items() if reached else ():
            if not reached.isdisjoint(_reached([own])):
                everything[name] = own
        return everything

    def format(self, arguments: Mapping[str, Any] | None = None) -> str:
        """Return the call as Python writes it, with `arguments` instead of the observed ones.

        Options that are off or on by default (None, False, True) are left out while they are.
        """
        names = self.parameters
        values = self.arguments | dict(arguments or {})
        more = values.get(names.variadic) if names.variadic is not None else ()
        default = _defaults(self.function)
        left_out = {
            name
            for name, value in values.items()
            if (value is None or isinstance(value, bool)) and default.get(name, self) is value
        }
        shown = [repr(values[name]) for name in names.positional_only]
        for name in names.positional:
            # What comes before further positional arguments has to be positional as well.
            if more:
                shown.append(repr(values[name]))
            elif name not in left_out:
                shown.append(f"{name}={values[name]!r}")
        shown += map(repr, more or ())
        for name in names.keyword_only:
            if name not in left_out:
                shown.append(f"{name}={values[name]!r}")
        for name, value in (values[names.keywords] if names.keywords is not None else {}).items():
            shown.append(f"{name}={value!r}")
        return f"{self.name}({', '.join(shown)})"


def _defaults(function: Any) -> dict[str, Any]:
    """Return the defaults of the parameters, by name."""
    if isinstance(function, type):
        function = inspect.getattr_static(function, "__init__")
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return {}
    code, defaults = function.__code__, function.__defaults__ or ()
    last = code.co_varnames[: code.co_argcount][code.co_argcount - len(defaults) :]
    return dict(zip(last, defaults, strict=True)) | (function.__kwdefaults__ or {})


def consumer(code: CodeType) -> Callable[[Any], Any]:
    """Return what has to be done with the result of a function for its body to run."""
    if code.co_flags & inspect.CO_GENERATOR:
        return lambda generator: deque(generator, maxlen=0)
    if code.co_flags & inspect.CO_COROUTINE:
        return _run
    if code.co_flags & inspect.CO_ASYNC_GENERATOR:
        return lambda generator: _run(_exhaust(generator))
    return lambda result: result


def _run(coroutine: Any) -> Any:
    import asyncio  # which few calls need

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    # We are inside of a coroutine ourselves. Another thread may have a loop of its own.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def _exhaust(generator: Any) -> None:
    async for _ in generator:
        pass


def copied_value(value: Any, memo: dict[int, Any]) -> Any:
    """Return a deep copy; what is the same object in two arguments stays so."""
    if type(value) is object:
        return value  # made to be compared by identity
    attempt = dict(memo)
    copied = copy.deepcopy(value, attempt)
    # It keeps what it has copied in a list of its own, under the address of its memo.
    kept = attempt.pop(id(attempt), ())
    memo.update(attempt)
    memo.setdefault(id(memo), []).extend(kept)
    return copied


def _reached(values: Iterable[Any]) -> set[int]:
    """Return the addresses of all mutable objects that are reached from some values."""
    memo: dict[int, Any] = {}
    for value in values:
        with suppress(Exception):  # what cannot be copied
            copied_value(value, memo)
    memo.pop(id(memo), None)
    return set(memo)


VARYING = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[-+]?\d[\w.]*""", re.DOTALL)
"""What is in quotes, and numbers."""

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")


def describe(error: BaseException | None) -> str:
    """Return type and text of an exception, as the Debugging Book prints them."""
    text = message(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def message(error: BaseException | None) -> str:
    """Return the text of an exception."""
    try:
        return str(error)
    except Exception as another:  # __str__ of the user's exception
        return f"<no text: {type(another).__name__}>"


def same_message(one: BaseException, other: BaseException) -> bool:
    """Whether type and text are the same, addresses of objects aside: copies have others."""
    return type(one) is type(other) and (
        ADDRESS.sub("0x", message(one)) == ADDRESS.sub("0x", message(other))
    )


def same_wording(one: BaseException, other: BaseException) -> bool:
    """Whether type and text are the same, but for numbers and what is in quotes.

    Many texts repeat an argument, or say where in it something is.
    """
    return type(one) is type(other) and (
        VARYING.sub("_", message(one)) == VARYING.sub("_", message(other))
    )


def same_type(one: BaseException, other: BaseException) -> bool:
    """Whether the types are the same."""
    return type(one) is type(other)


def same_place(one: BaseException, other: BaseException) -> bool:
    """Whether the types are the same, and the lines that raised them."""
    return type(one) is type(other) and _place(one) == _place(other)


def _place(error: BaseException) -> tuple[str, int] | None:
    traceback = error.__traceback__
    if traceback is None:
        return None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame.f_code.co_filename, traceback.tb_lineno

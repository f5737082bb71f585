"""The Debug Adapter Protocol: requests of a client, answered from a session.

The messages are those of the protocol's specification; only what is answered here is declared as a
capability.  One client, one session, one thread.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from stripe.backend import Inquiry, Journey, Target, TravelError
from stripe.debug.session import Breakpoint, Session
from stripe.errors import StripeError, UsageError

THREAD = 1
LONGEST_MESSAGE = 16 << 20
"""Bytes of one message of a client."""

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsStepBack": True,
    "supportsConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [
        {"filter": "uncaught", "label": "The exception that ends the run", "default": True}
    ],
}


class Refused(Exception):
    """A request that cannot be answered, and why."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a ``variablesReference`` stands for, until the session stops elsewhere."""

    frame: int
    base: str
    expression: str = ""
    path: tuple[int, ...] = ()


class Adapter:
    """Speaks to one client until it disconnects, or is gone.

    ``travel`` makes the journey for launch arguments.
    """

    def __init__(
        self, source: BinaryIO, sink: BinaryIO, travel: Callable[[Target], Journey]
    ) -> None:
        self._source, self._sink, self._travel = source, sink, travel
        self._sequence = 0
        self._session: Session | None = None
        self._folder = Path.cwd()
        self._at_start = self._configured = self._launched = False
        self._opened: list[Opened] = []
        self._pending: dict[str, list[Mapping[str, Any]]] = {}
        self._uncaught = True
        self._over = False

    def serve(self) -> None:
        """Answer requests."""
        try:
            while not self._over and (message := self._read()) is not None:
                if message.get("type") == "request":
                    self._answer(message)
        finally:
            self._end()

    # -- messages

    def _read(self) -> dict[str, Any] | None:
        length = None
        while True:
            line = self._source.readline(4096)
            if not line:
                return None
            if not line.strip():
                if length is None:
                    continue
                break
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        if length > LONGEST_MESSAGE:
            return None
        data = self._source.read(length)
        if len(data) < length:
            return None
        try:
            message = json.loads(data)
        except ValueError:
            return {}
        return message if isinstance(message, dict) else {}

    def _send(self, message: dict[str, Any]) -> None:
        self._sequence += 1
        data = json.dumps({"seq": self._sequence, **message}).encode()
        self._sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._sink.flush()

    def _event(self, name: str, **body: Any) -> None:
        self._send({"type": "event", "event": name, "body": body})

    def _answer(self, request: Mapping[str, Any]) -> None:
        command = str(request.get("command"))
        reply: dict[str, Any] = {
            "type": "response",
            "request_seq": request.get("seq", 0),
            "command": command,
            "success": True,
        }
        arguments = request.get("arguments") or {}
        after: Callable[[], None] | None = None
        method = None if "_" in command else getattr(self, f"_on_{snake_case(command)}", None)
        try:
            if method is None:
                raise Refused(f"stripe debug does not answer {command!r}.")
            if not isinstance(arguments, dict):
                raise Refused("The arguments are no object.")
            body, after = method(arguments)
            reply["body"] = body
        except StripeError as error:
            said = f"{error.message} [{error.slug}] {error.hint}".strip()
            shown = said.replace("{", "(").replace("}", ")")  # braces would name variables
            error_body = {"id": 1, "format": shown, "showUser": True}
            reply |= {"success": False, "message": said, "body": {"error": error_body}}
        except (Refused, TravelError) as error:
            reply |= {"success": False, "message": str(error)}
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            reply |= {
                "success": False,
                "message": f"The arguments of {command!r} are not those of the protocol "
                f"({type(error).__name__}: {error}).",
            }
        self._send(reply)
        if after is not None:
            after()

    # -- the beginning and the end

    def _on_initialize(self, _: dict[str, Any]) -> Any:
        return CAPABILITIES, None

    def _on_attach(self, _: dict[str, Any]) -> Any:
        raise Refused(
            "stripe debug cannot attach: the past of a running process was not recorded. "
            'Use "request": "launch" with the program.'
        )

    def _on_launch(self, arguments: dict[str, Any]) -> Any:
        if self._session is not None:
            raise Refused("The program has been launched already.")
        target, self._at_start = target_of(arguments)
        self._folder = target.directory
        journey = self._travel(target)
        try:
            self._session = Session(journey, at_start=self._at_start)
        except BaseException:
            journey.close()
            raise
        self._launched = True
        for path, wanted in self._pending.items():
            self._set(path, wanted)

        def after() -> None:
            self._event("initialized")
            for note in journey.notes:
                self._event("output", category="console", output=f"{note}\n")

        return {}, after

    def _on_configuration_done(self, _: dict[str, Any]) -> Any:
        session = self._required()
        reason = "entry" if self._at_start else "exception"
        if reason == "exception" and session.journey.ending.exception is None:
            reason = "entry"
        return {}, lambda: self._stopped(reason)

    def _on_disconnect(self, _: dict[str, Any]) -> Any:
        self._over = True
        return {}, None

    def _on_terminate(self, _: dict[str, Any]) -> Any:
        return {}, lambda: self._event("terminated")

    def _end(self) -> None:
        if self._session is not None:
            self._session.journey.close()

    def _required(self) -> Session:
        if self._session is None:
            raise Refused("No program has been launched.")
        return self._session

    def _stopped(self, reason: str) -> None:
        self._opened = []
        session = self._required()
        text = f"event {session.event:,} of {session.journey.total:,}"
        more = {}
        raised = session.journey.ending.exception
        if reason == "exception" and raised is not None:
            more = {"text": f"{raised.type}: {raised.message}"}
        self._event(
            "stopped",
            reason=reason,
            description=text,
            threadId=THREAD,
            allThreadsStopped=True,
            **more,
        )

    # -- where it stands

    def _on_threads(self, _: dict[str, Any]) -> Any:
        return {"threads": [{"id": THREAD, "name": "main"}]}, None

    def _on_stack_trace(self, arguments: dict[str, Any]) -> Any:
        calls = self._required().calls
        start = int(arguments.get("startFrame") or 0)
        count = int(arguments.get("levels") or 0) or len(calls)
        frames = [
            {
                "id": number + 1,
                "name": call.function,
                "source": {"name": Path(call.file).name, "path": str(self._folder / call.file)},
                "line": call.line,
                "column": 1,
            }
            for number, call in enumerate(calls)
        ]
        return {"stackFrames": frames[start : start + count], "totalFrames": len(calls)}, None

    def _frame(self, arguments: dict[str, Any]) -> int:
        number = int(arguments.get("frameId") or 1)
        if not 1 <= number <= len(self._required().calls):
            raise Refused(f"There is no frame {number} here.")
        return number - 1

    def _on_scopes(self, arguments: dict[str, Any]) -> Any:
        frame = self._frame(arguments)
        return {
            "scopes": [
                {
                    "name": base.capitalize(),
                    "presentationHint": base,
                    "variablesReference": self._open(Opened(frame, base)),
                    "expensive": base == "globals",
                }
                for base in ("locals", "globals")
            ]
        }, None

    def _open(self, what: Opened) -> int:
        self._opened.append(what)
        return len(self._opened)

    def _on_variables(self, arguments: dict[str, Any]) -> Any:
        number = int(arguments["variablesReference"])
        if not 1 <= number <= len(self._opened):
            raise Refused("This variable is of another moment.")
        what = self._opened[number - 1]
        start = int(arguments.get("start") or 0)
        told = self._required().journey.inspect(
            Inquiry(
                what.frame, what.base, what.expression, what.path, True, start,
                int(arguments.get("count") or 1000),
            )
        )  # fmt: skip
        return {
            "variables": [
                {
                    "name": part["name"],
                    **self._value(part, "value", Opened(
                        what.frame, what.base, what.expression, (*what.path, start + index))),
                }
                for index, part in enumerate(told["parts"])
            ]
        }, None  # fmt: skip

    def _value(self, told: Mapping[str, Any], name: str, where: Opened) -> dict[str, Any]:
        reference = self._open(where) if told["parts"] else 0
        return {name: told["text"], "type": told["type"], "variablesReference": reference}

    def _on_evaluate(self, arguments: dict[str, Any]) -> Any:
        frame, text = self._frame(arguments), arguments["expression"]
        if not isinstance(text, str):
            raise Refused("The expression is no text.")
        told = self._required().evaluate(frame, text)
        printed = told["printed"].decode("utf-8", "replace")

        def after() -> None:
            if printed:
                self._event("output", category="stdout", output=printed)

        return self._value(told["value"], "result", Opened(frame, "expression", text)), after

    # -- going elsewhere

    def _step(self, kind: str, *, backwards: bool = False) -> Any:
        self._required().step(kind, backwards=backwards)
        return {}, lambda: self._stopped("step")

    def _on_step_in(self, _: dict[str, Any]) -> Any:
        return self._step("in")

    def _on_next(self, _: dict[str, Any]) -> Any:
        return self._step("over")

    def _on_step_out(self, _: dict[str, Any]) -> Any:
        return self._step("out")

    def _on_step_back(self, _: dict[str, Any]) -> Any:
        return self._step("over", backwards=True)

    def _on_continue(self, _: dict[str, Any]) -> Any:
        reason = self._required().resume()
        return {"allThreadsContinued": True}, lambda: self._stopped(reason)

    def _on_reverse_continue(self, _: dict[str, Any]) -> Any:
        reason = self._required().resume(backwards=True)
        return {}, lambda: self._stopped(reason)

    # -- breakpoints

    def _on_set_breakpoints(self, arguments: dict[str, Any]) -> Any:
        path = arguments["source"]["path"]
        wanted: list[Mapping[str, Any]] = [
            {"line": int(each["line"]), "condition": str(each.get("condition") or "")}
            for each in arguments.get("breakpoints") or []
        ]
        if self._session is None:
            self._pending[path] = wanted
            unknown = {"verified": False, "message": "Known once the program has been launched."}
            return {"breakpoints": [{**unknown, "line": each["line"]} for each in wanted]}, None
        return {"breakpoints": self._set(path, wanted)}, None

    def _set(self, path: str, wanted: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
        session = self._required()
        file = str(path)
        if Path(path).is_relative_to(self._folder):
            file = str(Path(path).relative_to(self._folder))
        session.breakpoints = [each for each in session.breakpoints if each.file != file]
        told = []
        for each in wanted:
            line = session.nearest_line(file, each["line"])
            if line is None:
                told.append({"verified": False, "line": each["line"],
                             "message": "Not executed in this run."})  # fmt: skip
                continue
            session.breakpoints.append(Breakpoint(file, line, each["condition"]))
            told.append({"verified": True, "line": line})
        return told

    def _on_set_exception_breakpoints(self, arguments: dict[str, Any]) -> Any:
        filters = list(arguments.get("filters") or [])
        if self._session is not None:
            self._session.stops_at_failure = "uncaught" in filters
        return {}, None


def snake_case(command: str) -> str:
    """A command of the protocol as methods are named."""
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in command)


def target_of(arguments: Mapping[str, Any]) -> tuple[Target, bool]:
    """What to run, from launch arguments named as debugpy's; and whether to begin at its start.

    Raises :class:`~stripe.errors.UsageError` ``bad-launch``.
    """
    program, module = arguments.get("program"), arguments.get("module")
    if bool(program) == bool(module) or not isinstance(program or module, str):
        raise _bad('either "program" or "module" has to be given, as text')
    words = arguments.get("args") or []
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise _bad('"args" has to be a list of texts')
    python, stdin = arguments.get("python"), arguments.get("stdin") or ""
    if isinstance(python, list):
        python = python[0] if python else None
    if not isinstance(stdin, str) or not (python is None or isinstance(python, str)):
        raise _bad('"stdin" and "python" have to be texts')
    variables = arguments.get("env") or {}
    if not isinstance(variables, dict):
        raise _bad('"env" has to be an object')
    folder = Path(str(arguments.get("cwd") or Path.cwd())).absolute()
    if not folder.is_dir():
        raise _bad(f'"cwd" is no folder: {folder}')
    base = Target("")
    environment = None
    if variables:
        environment = {k: v for k, v in base.variables.items() if variables.get(k, "") is not None}
        environment |= {str(k): str(v) for k, v in variables.items() if v is not None}
    target = Target(
        program or str(module),
        words,
        module=bool(module),
        directory=folder,
        stdin=stdin.encode(),
        python=python,
        environment=environment,
    )
    return target, bool(arguments.get("stopOnEntry"))


def _bad(what: str) -> UsageError:
    return UsageError(
        "bad-launch",
        f"The launch arguments cannot be used: {what}.",
        'For example: {"program": "prog.py", "args": ["1"], "cwd": "/folder"}; see '
        "docs/debugging.md.",
    )


def serve(travel: Callable[[Target], Journey]) -> None:
    """Speak the protocol on standard input and output."""
    Adapter(sys.stdin.buffer, sys.stdout.buffer, travel).serve()

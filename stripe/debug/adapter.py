"""The Debug Adapter Protocol: requests of a client, answered from a session.

The messages are those of the protocol's specification; only what is answered here is declared as a
capability.  What the protocol has no request for is asked by custom ones, ``stripe/NAME``.  One
client, one session, one thread.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from stripe.backend import Inquiry, TravelError, Watched
from stripe.debug import protocol
from stripe.debug.breakpoints import (
    BadBreakpoint,
    Breakpoint,
    DataBreakpoint,
    FunctionBreakpoint,
    LineBreakpoint,
    RaiseBreakpoint,
)
from stripe.debug.launch import Travel, launch_of
from stripe.debug.session import Session
from stripe.debug.terminal import Terminal
from stripe.debug.value_flow import Flow
from stripe.errors import StripeError

THREAD = 1
LONGEST_MESSAGE = 16 << 20
"""Bytes of one message of a client."""

GRACE_SECONDS = 2.0
"""How long a request may still take once the client is gone."""

PAGE = 1000
"""Parts of a value that are told at once, if nobody says how many."""

COMMAND = ":"
"""With this begins a command of the terminal in a debug console; no expression of Python does."""

NOT_LAUNCHED = "Known once the program has been launched."

CHANGED: protocol.VariablePresentationHint = {"attributes": ["changed"]}
"""How a variable is told whose value is not that of the stop before."""

CAPABILITIES: protocol.Capabilities = {
    "supportsConfigurationDoneRequest": True,
    "supportsStepBack": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsFunctionBreakpoints": True,
    "supportsDataBreakpoints": True,
    "supportsExceptionInfoRequest": True,
    "supportsExceptionFilterOptions": True,
    "supportsEvaluateForHovers": True,
    "supportsSetVariable": True,
    "supportsSetExpression": True,
    "supportsRestartFrame": True,
    "supportsGotoTargetsRequest": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsLoadedSourcesRequest": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [
        {"filter": "uncaught", "label": "The exception that ends the run", "default": True},
        {
            "filter": "raised",
            "label": "Exceptions where they are raised",
            "supportsCondition": True,
            "conditionDescription": "A type, as KeyError; empty: all",
        },
    ],
}


class Refused(Exception):
    """A request that cannot be answered, and why."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What a ``variablesReference`` stands for, until the session stops elsewhere.

    ``text`` is the expression that has this value, if there is one.
    """

    frame: int
    base: str
    expression: str = ""
    path: tuple[int, ...] = ()
    text: str = ""


type Answer[Body] = tuple[Body, Callable[[], None] | None]
"""The body of a response, and what is done once it has been sent."""


class Adapter:
    """Speaks to one client until it disconnects, or is gone.

    ``travel`` makes the journey for launch arguments.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, travel: Travel) -> None:
        self._source, self._sink, self._travel = source, sink, travel
        self._sequence = 0
        self._session: Session | None = None
        self._folder = Path.cwd()
        self._at_start = False
        self._opened: list[Opened] = []
        self._targets: list[int] = []
        self._kinds: dict[str, list[Breakpoint]] = {}
        self._pending: dict[str, list[Mapping[str, Any]]] = {}
        self._over = False
        self._idle = threading.Event()

    def serve(self) -> None:
        """Answer requests."""
        self._idle.set()
        threading.Thread(target=self._end_with_client, daemon=True).start()
        try:
            while not self._over and (message := self._read()) is not None:
                if message.get("type") == "request":
                    self._idle.clear()
                    self._answer(message)
                    self._idle.set()
        except (BrokenPipeError, ConnectionError):
            pass  # the client is gone
        finally:
            self._idle.set()
            if self._session is not None:
                self._session.close()

    def _end_with_client(self) -> None:
        """End a request that takes long, as a launch may, once nobody is there to be answered."""
        poll = select.poll()
        poll.register(self._sink.fileno(), select.POLLRDHUP)
        poll.poll()
        if not self._idle.wait(GRACE_SECONDS):
            os.kill(os.getpid(), signal.SIGTERM)

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

    def _event(self, name: str, body: Mapping[str, Any] | None = None) -> None:
        self._send({"type": "event", "event": name, "body": body or {}})

    def _output(self, body: protocol.OutputEventBody) -> None:
        self._event("output", body)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._output({"category": "console", "output": f"{line}\n"})

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
        except (Refused, TravelError, BadBreakpoint) as error:
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

    def _on_initialize(
        self, _: protocol.InitializeRequestArguments
    ) -> Answer[protocol.Capabilities]:
        return CAPABILITIES, None

    def _on_attach(self, _: protocol.AttachRequestArguments) -> Answer[Mapping[str, Any]]:
        raise Refused(
            "stripe debug cannot attach: the past of a running process was not recorded. "
            'Use "request": "launch" with the program.'
        )

    def _on_launch(self, arguments: protocol.LaunchRequestArguments) -> Answer[Mapping[str, Any]]:
        if self._session is not None:
            raise Refused("The program has been launched already.")
        launch = launch_of(arguments)
        self._at_start, self._folder = launch.at_start, launch.target.directory
        self._session = session = launch.begin(self._travel)
        for path, wanted in self._pending.items():
            self._set_lines(path, wanted)

        def after() -> None:
            self._event("initialized")
            self._say(*session.journey.notes)

        return {}, after

    def _on_configuration_done(
        self, _: protocol.ConfigurationDoneArguments
    ) -> Answer[Mapping[str, Any]]:
        failed = self._required().journey.ending.exception is not None
        return {}, lambda: self._stopped("entry" if self._at_start or not failed else "exception")

    def _on_disconnect(self, _: protocol.DisconnectArguments) -> Answer[Mapping[str, Any]]:
        self._over = True
        return {}, None

    def _on_terminate(self, _: protocol.TerminateArguments) -> Answer[Mapping[str, Any]]:
        return {}, lambda: self._event("terminated")

    def _required(self) -> Session:
        if self._session is None:
            raise Refused("No program has been launched.")
        return self._session

    def _stopped(self, reason: str) -> None:
        self._opened, self._targets = [], []
        session = self._required()
        self._say(*session.take_logged())
        text = f"event {session.event:,} of {session.journey.total:,}"
        if session.timeline:
            text += f", timeline {session.timeline}"
        if why := session.why_kept:
            text += f"; kept, as {why}"
        body: protocol.StoppedEventBody = {
            "reason": reason,
            "description": text,
            "threadId": THREAD,
            "allThreadsStopped": True,
        }
        raised = session.journey.ending.exception
        if reason == "exception" and raised is not None and session.is_at_failure:
            body["text"] = f"{raised.type}: {raised.message}"
        self._event("stopped", body)

    def _go(self, reason: str, **body: Any) -> Answer[Mapping[str, Any]]:
        """The session stands elsewhere now."""
        return body, lambda: self._stopped(reason)

    # -- where it stands

    def _on_threads(self, _: dict[str, Any]) -> Answer[protocol.ThreadsBody]:
        return {"threads": [{"id": THREAD, "name": "main"}]}, None

    def _source_of(self, file: str) -> protocol.Source:
        return {"name": Path(file).name, "path": str(self._folder / file)}

    def _file_of(self, arguments: Mapping[str, Any]) -> str:
        """A file of the client's, as the journey has it."""
        path = Path(arguments["source"]["path"])
        inside = path.is_relative_to(self._folder)
        return str(path.relative_to(self._folder) if inside else path)

    def _on_loaded_sources(
        self, _: protocol.LoadedSourcesArguments
    ) -> Answer[protocol.LoadedSourcesBody]:
        return {
            "sources": [self._source_of(each) for each in self._required().journey.files()]
        }, None

    def _on_stack_trace(
        self, arguments: protocol.StackTraceArguments
    ) -> Answer[protocol.StackTraceBody]:
        calls = self._required().calls
        start = int(arguments.get("startFrame") or 0)
        count = int(arguments.get("levels") or 0) or len(calls)
        frames: list[protocol.StackFrame] = [
            {
                "id": number + 1,
                "name": call.function,
                "source": self._source_of(call.file),
                "line": call.line,
                "column": 1,
            }
            for number, call in enumerate(calls)
        ]
        return {"stackFrames": frames[start : start + count], "totalFrames": len(calls)}, None

    def _frame(self, arguments: Mapping[str, Any]) -> int:
        number = int(arguments.get("frameId") or 1)
        if not 1 <= number <= len(self._required().calls):
            raise Refused(f"There is no frame {number} here.")
        return number - 1

    def _on_scopes(self, arguments: protocol.ScopesArguments) -> Answer[protocol.ScopesBody]:
        frame = self._frame(arguments)
        return {
            "scopes": [
                {
                    "name": base.capitalize(),
                    "presentationHint": base,
                    "variablesReference": self._open(Opened(frame, base)),
                    "expensive": base != "locals",
                }
                for base in ("locals", "globals", "output")
            ]
        }, None

    def _open(self, what: Opened) -> int:
        self._opened.append(what)
        return len(self._opened)

    def _opened_as(self, arguments: Mapping[str, Any]) -> Opened:
        number = int(arguments["variablesReference"])
        if not 1 <= number <= len(self._opened):
            raise Refused("This variable is of another moment.")
        return self._opened[number - 1]

    def _on_variables(
        self, arguments: protocol.VariablesArguments
    ) -> Answer[protocol.VariablesBody]:
        what = self._opened_as(arguments)
        if what.base == "output":
            return {"variables": self._printed()}, None
        start, count = int(arguments.get("start") or 0), int(arguments.get("count") or PAGE)
        told = self._required().journey.inspect(
            Inquiry(what.frame, what.base, what.expression, what.path, True, start, count)
        )
        differ = set()
        if what.base != "expression" and not what.path:
            differ = self._required().differing(what.frame, what.base, told["parts"])
        variables: list[protocol.Variable] = []
        for index, part in enumerate(told["parts"]):
            name = _part_expression(what, part)
            path = *what.path, start + index
            variable: protocol.Variable = {
                "name": part["name"],
                "value": part["text"],
                "type": part["type"],
                "evaluateName": name,
                "variablesReference": self._reference(
                    part, Opened(what.frame, what.base, what.expression, path, name)
                ),
            }
            if items := _items(part):
                variable["indexedVariables"] = items
            if part["name"] in differ:
                variable["presentationHint"] = CHANGED
            variables.append(variable)
        return {"variables": variables}, None

    def _printed(self) -> list[protocol.Variable]:
        """What was printed up to here."""
        texts = zip(("stdout", "stderr"), self._required().journey.output(), strict=True)
        return [
            {"name": name, "value": text.decode("utf-8", "replace"), "variablesReference": 0}
            for name, text in texts
        ]

    def _reference(self, told: Mapping[str, Any], where: Opened) -> int:
        """By which the parts of a value are asked for; 0: it has none."""
        return self._open(where) if told["parts"] else 0

    def _on_evaluate(self, arguments: protocol.EvaluateArguments) -> Answer[protocol.EvaluateBody]:
        frame, text = self._frame(arguments), arguments["expression"]
        if not isinstance(text, str):
            raise Refused("The expression is no text.")
        if text.startswith(COMMAND):
            if arguments.get("context") in ("watch", "hover"):
                raise Refused("A command is followed in the debug console alone.")
            return self._command(text.removeprefix(COMMAND), frame)
        told = self._required().evaluate(frame, text)
        printed = told["printed"].decode("utf-8", "replace")

        def after() -> None:
            if printed:
                self._output({"category": "stdout", "output": printed})

        value = told["value"]
        where = Opened(frame, "expression", text, (), f"({text})")
        body: protocol.EvaluateBody = {
            "result": value["text"],
            "type": value["type"],
            "variablesReference": self._reference(value, where),
        }
        if items := _items(value):
            body["indexedVariables"] = items
        return body, after

    def _command(self, line: str, frame: int) -> Answer[protocol.EvaluateBody]:
        """Follow a command of the terminal; what it writes is the result."""
        session = self._required()
        before, written = (session.timeline, session.event), list[str]()
        Terminal(session, self._folder, written.append, frame).follow(line)
        others = [each for kind, some in self._kinds.items() if kind != COMMAND for each in some]
        self._keep(COMMAND, [each for each in session.breakpoints if each not in others])
        went = (session.timeline, session.event) != before
        body: protocol.EvaluateBody = {"result": "\n".join(written), "variablesReference": 0}
        return body, (lambda: self._stopped("goto")) if went else None

    def _on_exception_info(
        self, _: protocol.ExceptionInfoArguments
    ) -> Answer[protocol.ExceptionInfoBody]:
        session = self._required()
        raised = session.journey.ending.exception
        if raised is None:
            raise Refused("The run ends without an exception.")
        error = session.journey.ending.stderr.decode("utf-8", "replace")
        return {
            "exceptionId": raised.type,
            "description": raised.message,
            "breakMode": "unhandled",
            "details": {"typeName": raised.type, "message": raised.message, "stackTrace": error},
        }, None

    # -- going elsewhere

    def _step(self, kind: str, *, backwards: bool = False) -> Answer[Mapping[str, Any]]:
        self._required().step(kind, backwards=backwards)
        return self._go("step")

    def _on_step_in(self, _: protocol.StepInArguments) -> Answer[Mapping[str, Any]]:
        return self._step("in")

    def _on_next(self, _: protocol.NextArguments) -> Answer[Mapping[str, Any]]:
        return self._step("over")

    def _on_step_out(self, _: protocol.StepOutArguments) -> Answer[Mapping[str, Any]]:
        return self._step("out")

    def _on_step_back(self, _: protocol.StepBackArguments) -> Answer[Mapping[str, Any]]:
        return self._step("over", backwards=True)

    def _on_stripe_step_in_back(self, _: dict[str, Any]) -> Answer[Any]:
        return self._step("in", backwards=True)

    def _on_stripe_step_out_back(self, _: dict[str, Any]) -> Answer[Any]:
        return self._step("out", backwards=True)

    def _on_continue(self, _: protocol.ContinueArguments) -> Answer[protocol.ContinueBody]:
        reason = self._required().resume()
        return {"allThreadsContinued": True}, lambda: self._stopped(reason)

    def _on_reverse_continue(
        self, _: protocol.ReverseContinueArguments
    ) -> Answer[Mapping[str, Any]]:
        return self._go(self._required().resume(backwards=True))

    def _on_pause(self, _: protocol.PauseArguments) -> Answer[Mapping[str, Any]]:
        self._required()
        return self._go("pause")

    def _on_restart_frame(
        self, arguments: protocol.RestartFrameArguments
    ) -> Answer[Mapping[str, Any]]:
        frame = self._frame(arguments)
        self._required().restart(frame)
        return self._go("restart")

    def _on_goto_targets(
        self, arguments: protocol.GotoTargetsArguments
    ) -> Answer[protocol.GotoTargetsBody]:
        session = self._required()
        file, line = self._file_of(arguments), int(arguments["line"])
        words = {True: "the pass before", False: "the next pass"}
        targets: list[protocol.GotoTarget] = []
        for backwards, word in words.items():
            event = session.next_pass(file, line, backwards=backwards)
            if event is None:
                continue
            self._targets.append(event)
            label = f"{word}, event {event:,}"
            targets.append({"id": len(self._targets), "label": label, "line": line})
        return {"targets": targets}, None

    def _on_goto(self, arguments: protocol.GotoArguments) -> Answer[Mapping[str, Any]]:
        number = int(arguments["targetId"])
        if not 1 <= number <= len(self._targets):
            raise Refused("This target is of another moment.")
        self._required().go(self._targets[number - 1])
        return self._go("goto")

    def _on_stripe_jump(self, arguments: dict[str, Any]) -> Answer[Any]:
        """To an ``event``, or ``to`` the ``failure``, the ``start`` or the ``cause``."""
        session = self._required()
        goal = arguments.get("to")
        if goal is None:
            session.go(int(arguments["event"]))
        elif goal == "cause":
            session.go_to_cause()
        else:
            session.go({"failure": session.journey.failure, "start": 1}[goal])
        return self._go("goto")

    def _on_stripe_only_kept(self, arguments: dict[str, Any]) -> Answer[Any]:
        """Whether steps lead to the executions of the critical slice alone."""
        session = self._required()
        if not session.kept:
            raise Refused('No critical slice was given: "result" names a file with one.')
        session.only_kept = bool(arguments["on"])
        return {"kept": len(session.kept)}, None

    # -- changes of values

    def _on_stripe_last_change(self, arguments: dict[str, Any]) -> Answer[Any]:
        return self._change(arguments, backwards=True)

    def _on_stripe_next_change(self, arguments: dict[str, Any]) -> Answer[Any]:
        return self._change(arguments, backwards=False)

    def _change(self, arguments: dict[str, Any], *, backwards: bool) -> Answer[Mapping[str, Any]]:
        session = self._required()
        watched = session.watched(self._frame(arguments), str(arguments["expression"]))
        found = session.change(watched, backwards=backwards)
        body = {"found": found, "first": watched.first, "last": watched.last}
        return self._go("data breakpoint", **body) if found else (body, None)

    def _on_stripe_origins(self, _: dict[str, Any]) -> Answer[Any]:
        """Where the values come from that the present line uses: events to jump to."""
        return {"origins": self._flows(self._required().origins())}, None

    def _on_stripe_consequences(self, _: dict[str, Any]) -> Answer[Any]:
        """What uses the values that the present line leaves behind."""
        return {"consequences": self._flows(self._required().consequences())}, None

    def _flows(self, flows: Sequence[Flow]) -> list[dict[str, Any]]:
        return [
            {"event": each.event, "source": self._source_of(each.file), "line": each.line,
             "why": each.why}
            for each in flows
        ]  # fmt: skip

    def _on_data_breakpoint_info(
        self, arguments: protocol.DataBreakpointInfoArguments
    ) -> Answer[protocol.DataBreakpointInfoBody]:
        frame, name = self._frame(arguments), str(arguments["name"])
        if arguments.get("variablesReference"):
            what = self._opened_as(arguments)
            frame = what.frame
            name = name if what.base != "expression" and not what.path else _inside(what, name)
        if not name:
            return {"dataId": None, "description": "It has no name here."}, None
        watched = self._required().watched(frame, name)
        where = f"in {watched.module}" if watched.module else "in this call"
        return {
            "dataId": json.dumps(asdict(watched)),
            "description": f"{name} changes, {where}",
            "accessTypes": ["write"],
            "canPersist": False,
        }, None

    # -- breakpoints

    def _keep(self, kind: str, breakpoints: list[Breakpoint]) -> None:
        """Breakpoints of one kind replace those there were."""
        self._kinds[kind] = breakpoints
        if self._session is not None:
            self._session.breakpoints = [each for kind in self._kinds.values() for each in kind]

    def _on_set_breakpoints(
        self, arguments: protocol.SetBreakpointsArguments
    ) -> Answer[protocol.SetBreakpointsBody]:
        path = str(arguments["source"]["path"])
        wanted: list[Mapping[str, Any]] = [
            {**each, "line": int(each["line"])} for each in arguments.get("breakpoints") or []
        ]
        for each in wanted:
            Breakpoint(**_conditions(each))
        if self._session is None:
            self._pending[path] = wanted
            return {
                "breakpoints": [
                    {"verified": False, "line": each["line"], "message": NOT_LAUNCHED}
                    for each in wanted
                ]
            }, None
        return {"breakpoints": self._set_lines(path, wanted)}, None

    def _set_lines(self, path: str, wanted: list[Mapping[str, Any]]) -> list[protocol.Breakpoint]:
        session = self._required()
        file = self._file_of({"source": {"path": path}})
        told: list[protocol.Breakpoint] = []
        found: list[Breakpoint] = []
        for each in wanted:
            line = session.nearest_line(file, each["line"])
            if line is None:
                told.append({"verified": False, "line": each["line"],
                             "message": "Not executed in this run."})  # fmt: skip
                continue
            found.append(LineBreakpoint(**_conditions(each), file=file, line=line))
            told.append({"verified": True, "line": line})
        self._keep(f"line {file}", found)
        return told

    def _on_breakpoint_locations(
        self, arguments: protocol.BreakpointLocationsArguments
    ) -> Answer[protocol.BreakpointLocationsBody]:
        file, first = self._file_of(arguments), int(arguments["line"])
        last = int(arguments.get("endLine") or first)
        journey = self._required().journey
        lines = [line for line in range(first, last + 1) if journey.has_passed(file, line)]
        return {"breakpoints": [{"line": line} for line in lines]}, None

    def _on_set_function_breakpoints(
        self, arguments: protocol.SetFunctionBreakpointsArguments
    ) -> Answer[protocol.SetFunctionBreakpointsBody]:
        wanted = arguments.get("breakpoints") or []
        found = [
            FunctionBreakpoint(**_conditions(each), function=str(each["name"])) for each in wanted
        ]
        self._keep("function", list(found))
        return {
            "breakpoints": [self._told(each, "Not called in this run.") for each in found]
        }, None

    def _told(self, each: Breakpoint, otherwise: str) -> protocol.Breakpoint:
        if self._session is None:
            return {"verified": False, "message": NOT_LAUNCHED}
        there = bool(each.events(self._session.journey))
        return {"verified": True} if there else {"verified": False, "message": otherwise}

    def _on_set_exception_breakpoints(
        self, arguments: protocol.SetExceptionBreakpointsArguments
    ) -> Answer[protocol.SetExceptionBreakpointsBody]:
        options = list(arguments.get("filterOptions") or [])
        wanted = [str(each) for each in arguments.get("filters") or []]
        wanted += [str(each["filterId"]) for each in options]
        types = {str(e["filterId"]): str(e.get("condition") or "").strip() for e in options}
        raised = RaiseBreakpoint(raised=types.get("raised", ""))
        self._keep("raised", [raised] if "raised" in wanted else [])
        self._uncaught = "uncaught" in wanted
        if self._session is not None:
            self._session.stops_at_failure = self._uncaught
        return {}, None

    def _on_set_data_breakpoints(
        self, arguments: protocol.SetDataBreakpointsArguments
    ) -> Answer[protocol.SetDataBreakpointsBody]:
        wanted = arguments.get("breakpoints") or []
        found: list[Breakpoint] = [
            DataBreakpoint(
                str(each.get("condition") or ""),
                str(each.get("hitCondition") or ""),
                watched=Watched(**json.loads(each["dataId"])),
            )
            for each in wanted
        ]
        self._required()
        self._keep("data", found)
        return {"breakpoints": [{"verified": True} for _ in found]}, None

    # -- what if

    def _on_set_variable(
        self, arguments: protocol.SetVariableArguments
    ) -> Answer[protocol.SetVariableBody]:
        what, name = self._opened_as(arguments), str(arguments["name"])
        if what.base == "output":
            raise Refused("What was printed cannot be changed.")
        if what.path or what.base == "expression":
            name = _inside(what, name)
        text, kind, after = self._assign(what.frame, name, str(arguments["value"]))
        return {"value": text, "type": kind}, after

    def _on_set_expression(
        self, arguments: protocol.SetExpressionArguments
    ) -> Answer[protocol.SetExpressionBody]:
        expression = str(arguments["expression"])
        value = str(arguments["value"])
        text, kind, after = self._assign(self._frame(arguments), expression, value)
        return {"value": text, "type": kind}, after

    def _assign(
        self, frame: int, name: str, value: str
    ) -> tuple[str, str, Callable[[], None] | None]:
        """The text and the type of what is assigned, and what is done then."""
        if not name:
            raise Refused("It has no name by which it could be set.")
        session = self._required()
        told = session.evaluate(frame, value)["value"]
        _, after = self._alter("set", f"{name} = {value}", frame)
        return told["text"], told["type"], after

    def _on_stripe_alter(self, arguments: dict[str, Any]) -> Answer[Any]:
        """What comes of ``kind`` (set, skip, turn, return) with ``text``, from here on."""
        kind = str(arguments["kind"])
        if kind not in ("set", "skip", "turn", "return"):
            raise Refused(f"{kind!r} is none of set, skip, turn, return.")
        return self._alter(kind, str(arguments.get("text") or ""), self._frame(arguments))

    def _alter(self, kind: str, text: str, frame: int) -> Answer[Mapping[str, Any]]:
        """A new timeline; the session goes on in it, and tells what comes of it."""
        session = self._required()
        outcome = session.alter(kind, text, frame)
        session.switch(outcome.number)

        def after() -> None:
            self._say(*outcome.lines())
            self._stopped("goto")

        return asdict(outcome), after

    def _on_stripe_timelines(self, _: dict[str, Any]) -> Answer[Any]:
        session = self._required()
        return {"present": session.timeline, "timelines": session.listed()}, None

    def _on_stripe_switch_timeline(self, arguments: dict[str, Any]) -> Answer[Any]:
        self._required().switch(int(arguments["number"]))
        return self._go("goto")

    def _on_stripe_drop_timeline(self, arguments: dict[str, Any]) -> Answer[Any]:
        self._required().drop(int(arguments["number"]))
        return self._go("goto")

    def _on_stripe_compare_timelines(self, arguments: dict[str, Any]) -> Answer[Any]:
        outcome = self._required().compare(
            int(arguments["number"]), int(arguments.get("other") or 0)
        )
        return asdict(outcome), None


def _conditions(wanted: Mapping[str, Any]) -> dict[str, str]:
    """What all breakpoints may have, as it is named here."""
    names = {"condition": "condition", "hits": "hitCondition", "log": "logMessage"}
    return {mine: str(wanted.get(its) or "") for mine, its in names.items()}


def _items(told: Mapping[str, Any]) -> int:
    """How many numbered parts a value has."""
    return int(told["parts"]) if told["type"] in ("list", "tuple") else 0


def _part_expression(what: Opened, part: Mapping[str, Any]) -> str:
    """The expression that has the value of a part."""
    if what.base != "expression" and not what.path:
        return str(part["name"])
    return _inside(what, str(part["name"]))


def _inside(what: Opened, name: str) -> str:
    """The expression for a part of an opened value, by its name; empty: it has none."""
    if not what.text or name.startswith("{"):
        return ""
    if name.startswith("["):
        return f"{what.text}{name}"
    return f"{what.text}.{name}" if name.isidentifier() else f"{what.text}[{name}]"


def snake_case(command: str) -> str:
    """A command of the protocol as methods are named."""
    text = command.replace("/", "_")
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in text)


def serve_port(port: int, travel: Travel, listening: Callable[[int], object]) -> None:
    """Speak to each client that connects to a port of this machine, in a process of its own.

    ``listening`` is told the port.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those processes
    with socket.create_server(("127.0.0.1", port)) as server:
        listening(server.getsockname()[1])
        while True:
            connection, _ = server.accept()
            with connection:
                if os.fork() == 0:
                    server.close()
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    asked, told = connection.makefile("rb"), connection.makefile("wb")
                    try:
                        Adapter(asked, told, travel).serve()
                    finally:
                        os._exit(0)

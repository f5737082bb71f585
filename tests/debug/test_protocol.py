"""``stripe debug`` as clients drive it: the Debug Adapter Protocol, and keys at a terminal."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.debug.test_moments import MEAN
from tests.e2e.harness import Room
from tests.support.patience import PATIENCE
from tools.debug_protocol import schema


class Client:
    """A client of the protocol, which knows nothing of the adapter."""

    def __init__(self, room: Room) -> None:
        self.process = room.start("debug", stdin=subprocess.PIPE)
        self.folder = room.work
        self.sequence = 0
        self.events: list[dict[str, Any]] = []

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request; its response.  Events before it are kept."""
        self.sequence += 1
        self.send({"seq": self.sequence, "type": "request", "command": command,
                   "arguments": arguments})  # fmt: skip
        while True:
            message = self.receive()
            if message["type"] == "response":
                assert message["request_seq"] == self.sequence
                return message
            self.events.append(message)

    def body(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Ask for what is not refused; what is told."""
        response = self.ask(command, **arguments)
        assert response["success"], response
        body: dict[str, Any] = response["body"]
        return body

    def stopped(self) -> dict[str, Any]:
        """Wait for the next stop."""
        while True:
            message = self.receive()
            if message["type"] == "event" and message["event"] == "stopped":
                body: dict[str, Any] = message["body"]
                return body

    def line(self) -> int:
        """Where it stands."""
        return int(self.body("stackTrace", threadId=1)["stackFrames"][0]["line"])

    def send(self, message: Any) -> None:
        data = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.removeprefix(b"Content-Length: "))
        assert length, self.process.stderr and self.process.stderr.read()
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        validate(message)
        return message


SCHEMA = schema()


def validate(message: dict[str, Any]) -> None:
    """It is as the published schema has it, where there is one; requests of our own are in none."""
    if SCHEMA is None:
        return
    said = str(message.get("event") or message["command"])
    kind = message["type"].capitalize() if message.get("success", True) else "ErrorResponse"
    name = said[0].upper() + said[1:] + kind
    if kind == "ErrorResponse":
        name = kind if "body" in message else "Response"
    elif "/" in said:
        name = kind
    validator = jsonschema.Draft4Validator({"definitions": SCHEMA, "$ref": f"#/definitions/{name}"})
    validator.validate(message)


@pytest.mark.skipif(SCHEMA is None, reason="there is no debugpy, whose distribution has the schema")
def test_messages_are_compared_with_the_schema() -> None:
    with pytest.raises(jsonschema.ValidationError):
        validate({"type": "event", "seq": 1, "event": "stopped", "body": {"reason": 7}})


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def client(room: Room) -> Iterator[Client]:
    room.program(MEAN)
    found = Client(room)
    yield found
    found.process.kill()
    found.process.communicate()


def launched(client: Client, **more: Any) -> dict[str, Any]:
    """Launch the program; where the session begins."""
    client.body("initialize", adapterID="stripe")
    client.body("launch", program="prog.py", cwd=str(client.folder), **more)
    client.body("setExceptionBreakpoints", filters=["uncaught"])
    client.body("configurationDone")
    return client.stopped()


def test_begins_at_the_failure_and_goes_back(client: Client) -> None:
    stop = launched(client)
    assert (stop["reason"], stop["text"]) == (
        "exception", "ZeroDivisionError: division by zero")  # fmt: skip
    frames = client.body("stackTrace", threadId=1)["stackFrames"]
    assert [(each["name"], each["line"]) for each in frames] == [
        ("mean", 5), ("report", 9), ("<module>", 11)]  # fmt: skip
    assert frames[0]["source"]["path"] == str(client.folder / "prog.py")
    scope = client.body("scopes", frameId=2)["scopes"][0]
    variables = client.body("variables", variablesReference=scope["variablesReference"])
    groups = variables["variables"][0]
    assert groups["name"] == "groups"
    opened = client.body("variables", variablesReference=groups["variablesReference"])["variables"]
    assert [(each["name"], each["value"]) for each in opened] == [
        ("'a'", "[1, 2, 3]"), ("'b'", "[4]"), ("'c'", "[]")]  # fmt: skip
    assert client.body("evaluate", frameId=1, expression="total + 7")["result"] == "7"
    client.body("stepBack", threadId=1)
    assert (client.stopped()["reason"], client.line()) == ("step", 3)
    source = {"path": str(client.folder / "prog.py")}
    told = client.body(
        "setBreakpoints", source=source,
        breakpoints=[{"line": 4, "condition": "value == 2"}, {"line": 400}],
    )["breakpoints"]  # fmt: skip
    assert [each["verified"] for each in told] == [True, False]
    client.body("reverseContinue", threadId=1)
    assert (client.stopped()["reason"], client.line()) == ("breakpoint", 4)
    assert client.body("evaluate", expression="[total, value]")["result"] == "[1, 2]"
    for command in ("next", "stepIn", "stepOut"):
        client.body(command, threadId=1)
        client.stopped()
    assert client.line() == 8
    client.body("continue", threadId=1)
    assert client.stopped()["reason"] == "exception"
    client.body("disconnect")
    assert client.process.wait(PATIENCE) == 0


def test_commands_of_the_terminal_in_a_debug_console(client: Client) -> None:
    """For editors without steps backwards, such as Helix, and dape in Emacs."""
    launched(client)
    told = client.body("evaluate", frameId=1, expression=":S", context="repl")
    assert told == {
        "result": "[event 25 of 26]\nprog.py:3 mean\n-> for value in values:",
        "variablesReference": 0,
    }
    assert (client.stopped()["reason"], client.line()) == ("goto", 3)
    assert client.body("evaluate", frameId=2, expression=":p name")["result"] == "'c'"
    source = {"path": str(client.folder / "prog.py")}
    assert "4 events" in client.body("evaluate", expression=":b 4")["result"]
    client.body("setBreakpoints", source=source, breakpoints=[{"line": 8}])
    client.body("reverseContinue", threadId=1)
    assert (client.stopped()["reason"], client.line()) == ("breakpoint", 8)
    client.body("evaluate", expression=":C")
    assert (client.stopped()["reason"], client.line()) == ("goto", 4)
    client.body("evaluate", expression=":cl")  # that of the console; the editor's remains
    client.body("reverseContinue", threadId=1)
    assert (client.stopped()["reason"], client.line()) == ("breakpoint", 8)
    assert client.body("evaluate", expression=":zz")["result"] == "*** 'zz'? h for help"
    for context in ("watch", "hover"):
        refused = client.ask("evaluate", expression=":S", context=context)
        assert "debug console" in refused["message"]
    assert client.line() == 8


def test_what_differs_from_the_stop_before_is_marked(client: Client) -> None:
    launched(client)

    def changed() -> list[str]:
        scope = client.body("scopes", frameId=1)["scopes"][0]
        told = client.body("variables", variablesReference=scope["variablesReference"])
        return [each["name"] for each in told["variables"] if "presentationHint" in each]

    client.body("stripe/jump", event=10)
    client.stopped()
    assert changed() == []  # of the stop before, nothing was asked
    client.body("next", threadId=1)
    client.stopped()
    assert changed() == ["total"]
    client.body("stepBack", threadId=1)
    client.stopped()
    assert changed() == ["total"]
    client.body("stepBack", threadId=1)
    client.stopped()
    assert changed() == ["value"]


def test_breakpoints_that_come_before_the_launch(client: Client) -> None:
    client.body("initialize")
    source = {"path": str(client.folder / "prog.py")}
    client.body("setBreakpoints", source=source, breakpoints=[{"line": 2}])
    assert launched(client, stopOnEntry=True)["reason"] == "entry"
    assert client.line() == 1
    client.body("continue", threadId=1)
    assert (client.stopped()["reason"], client.line()) == ("breakpoint", 2)


def test_attach_and_wrong_arguments_are_refused_by_name(client: Client) -> None:
    client.body("initialize")
    assert "launch" in client.ask("attach")["message"]
    assert "bad-launch" in client.ask("launch")["message"]
    assert "bad-launch" in client.ask("launch", program="prog.py", args="1")["message"]
    for command in ("continue", "stackTrace", "scopes", "evaluate", "stepBack"):
        assert "launched" in client.ask(command)["message"]
    launched(client)
    for command, arguments in (
        ("variables", {}), ("variables", {"variablesReference": 99}), ("evaluate", {}),
        ("evaluate", {"expression": 5}), ("scopes", {"frameId": 77}), ("setBreakpoints", {}),
        ("setBreakpoints", {"source": {"path": "x"}, "breakpoints": [{}]}), ("restart", {}),
        ("launch", {"program": "prog.py"}), ("evaluate", {"expression": "1 / 0"}),
    ):  # fmt: skip
        response = client.ask(command, **arguments)
        assert not response["success"]
        assert response["message"]
    assert client.line() == 5


def test_a_program_that_differs_from_run_to_run_is_refused(client: Client, room: Room) -> None:
    room.program("import time\nprint(time.time_ns())\n")
    client.body("initialize")
    assert "nondeterministic" in client.ask(
        "launch", program="prog.py", cwd=str(client.folder))["message"]  # fmt: skip


def test_a_client_that_is_gone_leaves_nothing_behind(client: Client) -> None:
    launched(client)
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.process.stdin = None
    assert client.process.wait(PATIENCE) == 0


def test_keys_at_a_terminal(room: Room) -> None:
    room.program(MEAN)
    (room.work / "keys").write_text(
        "w\nu\np name\nS\ni\ns\ni\nv\nV\nv 1\n"
        "b 4 if value == 2\nC\np total\nC\nc\ng\no\np 1/0\nb 99\nzz\nq\n"
    )
    with open(room.work / "keys", "rb") as keys:
        process = room.start("debug", "--terminal", "prog.py", stdin=keys)
        out, _ = process.communicate(timeout=PATIENCE)
    text = out.decode()
    assert text.startswith(
        "ZeroDivisionError: division by zero\n[event 26 of 26, the failure]\nprog.py:5 mean\n"
    )
    for part in ("  values = []\n  total = 0\n", "1  prog.py:2 total = 0  (total)\n",
                 "[event 24 of 26]\nprog.py:2 mean\n",
                 "prog.py:9 report\n-> print(name, mean(values))\n'c'\n",
                 "which has 4 events\n[event 10 of 26]\nprog.py:4 mean\n-> total += value\n1\n",
                 "(the start of the run)", "a 2.0\nb 4.0\n", "*** ZeroDivisionError",
                 "*** 99 was not executed", "*** 'zz'? h for help"):  # fmt: skip
        assert part in text
    assert process.returncode == 0


def test_the_command_that_a_report_shows_for_an_event_stands_there(room: Room) -> None:
    room.program(MEAN.replace('report({"a"', "import sys\nreport({sys.argv[1]"))
    room.stripe("trace", "--html", "page.html", "prog.py", "a b", writes=("page.html",))
    page = (room.work / "page.html").read_text("utf-8")
    text = page.partition('<script type="application/json" id="data">')[2].partition("</script>")
    data = json.loads(text[0])
    before, after = data["debug"]
    for event in data["slices"][0]["needs"][0][:2]:
        words = shlex.split(f"{before} {event + 1} {after}")
        assert words[0] == "stripe"
        process = room.start(*words[1:])
        out, error = process.communicate(timeout=PATIENCE)
        line = data["statements"][data["events"][event]][1]
        assert f"\nprog.py:{line} " in out.decode(), error.decode()


SUMS = """\
import sys
total = 0
noise = 0
for word in sys.argv[1:]:
    noise = noise * 2
    total += int(word)
print(total)
"""


def test_steps_through_a_critical_slice_of_this_run_alone(room: Room) -> None:
    room.program(SUMS)
    words = ("--json", "slice.json", "--check", "stdout", "prog.py", "3", "4")
    room.stripe("trace", *words, writes=("slice.json",))
    (room.work / "keys").write_text("k\ns\ns\nS\nq\n")

    def debugged(*arguments: str) -> tuple[str, str]:
        with open(room.work / "keys", "rb") as keys:
            process = room.start("debug", "--terminal", "--start", "--result", "slice.json",
                                 "prog.py", *arguments, stdin=keys)  # fmt: skip
            out, error = process.communicate(timeout=PATIENCE)
        return out.decode(), error.decode()

    out, _ = debugged("3", "4")
    assert "Steps lead through" in out
    assert "noise" not in out
    assert out.count("kept: ") >= 3
    assert "needs it for total" in out
    for other in (("3", "5"), ("3", "4", "x"), ()):
        assert "[other-run]" in debugged(*other)[1]

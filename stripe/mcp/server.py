"""The tools: what an assistant may ask, each with the limits of what it may give."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from stripe.mcp.answers import Reduced, TriedChange, Verified, Why, why_answer
from stripe.mcp.tool_call import ToolCalls
from stripe.results.why import Document, from_json
from stripe.version import __version__
from stripe.why.execution import Neighbourhood

INSTRUCTIONS = """\
Finds out by experiments why a program or a test of this project fails: statements are left out,
small changes are tried. Ask `why` first. All runs are in a sandbox: the project's files are not
changed, and there is no network. What an answer tells was tried, unless it says otherwise."""

MOST_ANSWERS = 20
"""Answers that are kept for ``verify``; the oldest is forgotten first."""

type Words = Annotated[list[Annotated[str, Field(max_length=10_000)]], Field(max_length=200)]
type LongText = Annotated[str, Field(max_length=1_000_000)]
type Check = Annotated[
    str, Field(max_length=10_000, description="what is asked about, as in stdout:/REGEX/")
]
type Seconds = Annotated[float, Field(gt=0, le=600, description="seconds for all of it")]
type Test = Annotated[
    str,
    Field(max_length=4_000, description="pytest's name of a test: tests/test_cart.py::test_total"),
]
type Program = Annotated[str, Field(max_length=4_000, description="a program of the project")]


class Answers:
    """The latest answers of ``why``, each with what was run for it."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Document, dict[str, Any]]] = {}
        self._number = 0

    def add(self, document: Document, run: dict[str, Any]) -> str:
        """Keep an answer; its name."""
        self._number += 1
        name = f"why-{self._number}"
        self._kept[name] = document, run
        if len(self._kept) > MOST_ANSWERS:
            del self._kept[next(iter(self._kept))]
        return name

    def get(self, name: str) -> tuple[Document, dict[str, Any]]:
        """An answer, and what was run for it."""
        if name not in self._kept:
            known = ", ".join(self._kept) or "none"
            raise ToolError(
                f"There is no answer {name!r}; there is {known}. [bad-arguments]\n"
                "Ask why first: its answer says how it is called."
            )
        return self._kept[name]


class Tools:
    """The tools for a project: each public method is one, with its signature and docstring."""

    def __init__(self, project: Path) -> None:
        self._calls = ToolCalls(project)
        self._answers = Answers()

    async def why(
        self,
        context: Context,
        program: Program = "",
        test: Test = "",
        arguments: Words = [],  # noqa: B006 -- the schema tells it
        stdin: LongText = "",
        check: Check = "",
        line: Annotated[int | None, Field(ge=1, description="a line of its output")] = None,
        expect: Annotated[str | None, Field(max_length=1_000_000)] = None,
        max_time: Seconds = 30,
    ) -> Why:
        """Why a program, or a test, crashes, fails or prints what it prints.

        Give a program or a test. Answers where to look, and how it came about. `expect`: what it
        should print.
        """
        run = {"program": program, "test": test, "arguments": arguments, "stdin": stdin}
        document = await self._calls.run(
            context,
            lambda data: from_json(data, "the answer"),
            "why",
            max_time,
            check=check,
            line=line,
            expect=expect,
            **run,
        )
        return why_answer(document, self._answers.add(document, run))

    async def verify(
        self,
        context: Context,
        answer: Annotated[str, Field(max_length=100, description="the name that why gave it")],
        max_time: Seconds = 30,
    ) -> Verified:
        """Whether an answer of `why` still holds, as after a change of the program."""
        document, run = self._answers.get(answer)
        return await self._calls.run(
            context,
            lambda data: msgspec.convert(data, Verified),
            "verify",
            max_time,
            document=document.to_json(),
            run=run,
            name=answer,
        )

    async def reduce_input(
        self,
        context: Context,
        file: Annotated[str, Field(max_length=4_000, description="a file of the project")],
        command: Annotated[
            Words, Field(min_length=1, description="what runs; the file stands where @@ is")
        ],
        check: Check = "crash",
        units: Annotated[str, Field(max_length=200)] = "auto",
        max_time: Seconds = 60,
    ) -> Reduced:
        """The little of a file with which a command fails in the same way."""
        return await self._calls.run(
            context,
            lambda data: msgspec.convert(data, Reduced),
            "reduce_input",
            max_time,
            file=file,
            command=command,
            check=check,
            units=units,
        )

    async def story_of(
        self,
        context: Context,
        program: Program = "",
        test: Test = "",
        arguments: Words = [],  # noqa: B006 -- the schema tells it
        stdin: LongText = "",
        file: Annotated[str, Field(max_length=4_000, description="a file of the project")] = "",
        line: Annotated[int | None, Field(ge=1)] = None,
        number: Annotated[
            int | None, Field(ge=1, description="which execution of the line; the last by default")
        ] = None,
        event: Annotated[
            int | None, Field(ge=1, description="instead of a line: its number in the run")
        ] = None,
        max_time: Seconds = 30,
    ) -> Neighbourhood:
        """What one execution of a line held, what it needed, and what needed it.

        From a recorded run of a program or a test, and an analysis of its dependences.
        """
        return await self._calls.run(
            context,
            lambda data: msgspec.convert(data, Neighbourhood),
            "story_of",
            max_time,
            program=program,
            test=test,
            arguments=arguments,
            stdin=stdin,
            file=file,
            line=line,
            number=number,
            event=event,
        )

    async def try_change(
        self,
        context: Context,
        patch: Annotated[
            str,
            Field(
                min_length=1,
                max_length=1_000_000,
                description="a unified diff with paths from the project's folder",
            ),
        ],
        tests: Annotated[
            Words,
            Field(description="pytest's names of tests, files, folders; none: all of the project"),
        ] = [],  # noqa: B006 -- the schema tells it
        max_time: Seconds = 120,
    ) -> TriedChange:
        """What tests of pytest do without and with a patch: repaired, broken, still failing.

        The patch is tried on a copy in the sandbox; the project's files stay as they are.
        """
        return await self._calls.run(
            context,
            lambda data: msgspec.convert(data, TriedChange),
            "try_change",
            max_time,
            patch=patch,
            tests=tests,
        )


def server_of(project: Path) -> MCPServer[Any]:
    """The server for a project."""
    server: MCPServer[Any] = MCPServer(
        "stripe", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    tools = Tools(project)
    for tool in (tools.why, tools.verify, tools.reduce_input, tools.story_of, tools.try_change):
        server.add_tool(tool, structured_output=True)
    return server

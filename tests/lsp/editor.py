"""A client for the tests of the language server: pytest-lsp's, and the real server's process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.harness import Room, command
from tests.support.needs import LEFT_OUT

if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = pytest.importorskip("lsprotocol.types", reason=LEFT_OUT)
pytest_lsp = pytest.importorskip("pytest_lsp", reason=LEFT_OUT)

LIKE = "visual_studio_code"


class Editor:
    """An editor with one folder open."""

    def __init__(self, room: Room, configuration: dict[str, Any]) -> None:
        self.room = room
        self.client = pytest_lsp.make_test_lsp_client()
        self.client.set_configuration(configuration, section="stripe")
        self.refreshed = 0
        self.registered: list[str] = []

        @self.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        @self.client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(params: Any) -> None:
            self.refreshed += 1

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += [each.method for each in params.registrations]

    async def start(self, capabilities: types.ClientCapabilities, **more: Any) -> None:
        words = [*command(), "lsp"]
        await self.client.start_io(*words, env=self.room.environment, cwd=str(self.room.elsewhere))
        folder = types.WorkspaceFolder(self.room.work.as_uri(), "work")
        self.answered = await self.client.initialize_session(
            types.InitializeParams(capabilities, workspace_folders=[folder], **more)
        )

    # --- documents -------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.room.work / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file, or show it with another text than it has on disk; its address."""
        text = (self.room.work / name).read_text() if text is None else text
        item = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return self.uri(name)

    def change(self, name: str, text: str) -> None:
        """Type."""
        document = types.VersionedTextDocumentIdentifier(2, self.uri(name))
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def saved(self, name: str) -> None:
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    # --- requests --------------------------------------------------------------------------

    async def execute(self, name: str, *arguments: Any, token: str | None = None) -> Any:
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(name, list(arguments), work_done_token=token)
        )

    async def slice(self, name: str, **request: Any) -> Any:
        return await self.execute("stripe.slice", {"uri": self.uri(name), **request})

    async def lenses(self, name: str) -> list[tuple[int, str, str, Any]]:
        """Line, title, command and argument of each lens."""
        params = types.CodeLensParams(types.TextDocumentIdentifier(self.uri(name)))
        found = await self.client.text_document_code_lens_async(params)
        return [
            (each.range.start.line, each.command.title, each.command.command,
             each.command.arguments[0])
            for each in found or []
            if each.command is not None and each.command.arguments
        ]  # fmt: skip

    async def hints(self, name: str) -> dict[int, str]:
        """The hints by line, from 1."""
        whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        params = types.InlayHintParams(types.TextDocumentIdentifier(self.uri(name)), whole)
        found = await self.client.text_document_inlay_hint_async(params)
        return {each.position.line + 1: str(each.label) for each in found or []}

    async def hover(self, name: str, line: int) -> str | None:
        params = types.HoverParams(
            types.TextDocumentIdentifier(self.uri(name)), types.Position(line - 1, 2)
        )
        found = await self.client.text_document_hover_async(params)
        return None if found is None else found.contents.value

    # --- what the server said of itself ----------------------------------------------------

    def diagnostics(self, name: str) -> list[types.Diagnostic]:
        return list(self.client.diagnostics.get(self.uri(name), ()))

    def faded(self, name: str) -> list[int]:
        """The lines, from 1, that are marked as unnecessary."""
        return [
            line + 1
            for each in self.diagnostics(name)
            if types.DiagnosticTag.Unnecessary in (each.tags or ())
            for line in range(each.range.start.line, each.range.end.line + 1)
        ]

    def messages(self) -> list[str]:
        return [each.message for each in self.client.messages]

    def progress(self) -> list[Any]:
        """All that was said of progress, in order."""
        return [each for found in self.client.progress_reports.values() for each in found]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something has arrived."""
        while not condition():
            await asyncio.sleep(0.01)

    async def searching(self) -> str:
        """Wait until a search has run a test; the token of its progress."""
        found: list[str] = []

        def tests_run() -> bool:
            for token, reports in self.client.progress_reports.items():
                kinds = [getattr(each, "kind", "") for each in reports]
                if "end" not in kinds and len(kinds) > 1:
                    found.append(str(token))
            return bool(found)

        await self.until(tests_run)
        return found[-1]

    @property
    def server(self) -> asyncio.subprocess.Process:
        assert self.client._server is not None
        return self.client._server


@asynccontextmanager
async def editor(
    room: Room,
    configuration: dict[str, Any] | None = None,
    capabilities: types.ClientCapabilities | None = None,
    **more: Any,
) -> AsyncIterator[Editor]:
    """An editor, its server, and at the end neither a process nor a file of theirs."""
    found = Editor(room, configuration or {})
    try:
        await found.start(capabilities or pytest_lsp.client_capabilities(LIKE), **more)
        yield found
        if found.server.returncode is None:
            await found.client.shutdown_session()
            assert found.server.returncode == 0
        await asyncio.to_thread(room.must_be_clean)
    finally:
        if found.server.returncode is None:
            found.server.kill()
        room.kill_all()
        await found.client.stop()


def sample(room: Room) -> str:
    """The paper's sample program; its name."""
    folder = Path(__file__).parents[2] / "examples" / "sample_programs"
    room.file("sample.py", (folder / "sample.py").read_text())
    return "sample.py"

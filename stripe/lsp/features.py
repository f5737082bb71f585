"""``stripe lsp`` from end to end: which message leads to what, and the streams."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Generator
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.io_ import StdoutWriter, run_async
from pygls.protocol import LanguageServerProtocol, lsp_method

from stripe.interrupts import Terminated
from stripe.lsp.server import COMMANDS, Server


class Protocol(LanguageServerProtocol):
    """What pygls does not do: commands with a token for progress, and that can be cancelled."""

    _server: Server

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(
        self, params: types.ExecuteCommandParams
    ) -> Generator[Any, Any, Any]:
        """Executes a command; its arguments are as they came."""
        if params.command not in COMMANDS:
            return (yield from super().lsp_workspace__execute_command(params))
        arguments = params.arguments or []
        args = (params.command, arguments, params.work_done_token, self.msg_id)
        return (yield self._server.execute, args, {})

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """A search that is cancelled still answers, with the best slice so far."""
        if not self._server.cancel(msg_id):
            super()._handle_cancel_notification(msg_id)


def build() -> Server:
    """A server that knows what to do with every message."""
    server = Server(Protocol)

    for name in COMMANDS:
        # Only announced here: the protocol above executes them.
        server.command(name)(lambda *arguments: None)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.initial = params.initialization_options

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        server.set(server.initial)  # at once: the next message may be a request
        server.asking = asyncio.ensure_future(introduce())

    async def introduce() -> None:
        await server.client.register()
        await server.ask()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        if params.settings:
            server.set(params.settings)
        await server.ask()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: Any) -> None:
        server.publish()

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return server.lenses(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        view = server.view(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [] if view is None else list(view.hints(first, last))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.actions(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = server.hover(params.text_document.uri, params.position.line + 1)
        if text is None:
            return None
        return types.Hover(types.MarkupContent(server.client.markup, text))

    @server.feature(types.SHUTDOWN)
    async def shutdown(params: Any) -> None:
        await server.end()

    return server


def serve() -> int:
    """Speak to the client on standard input and output until it goes away; the exit status."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    # Whatever else is printed here must not get between the messages.
    stdin, stdout = os.dup(0), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        asyncio.run(talk(build(), stdin, stdout))
    except Terminated:
        raise
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except (asyncio.IncompleteReadError, BrokenPipeError):
        pass  # the client went away
    return 0


async def talk(server: Server, stdin: int, stdout: BinaryIO) -> None:
    """Handle messages until there are none any more."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()

    def pump() -> None:
        """Pass on what arrives.

        By a thread that nobody waits for: standard input may be of any kind, and reading from it
        cannot be ended from outside.
        """
        try:
            while data := os.read(stdin, 1 << 16):
                loop.call_soon_threadsafe(reader.feed_data, data)
            loop.call_soon_threadsafe(reader.feed_eof)
        except RuntimeError:
            pass  # the loop is closed: we are leaving

    threading.Thread(target=pump, daemon=True).start()
    server.protocol.set_writer(StdoutWriter(stdout))
    await run_async(
        stop_event=threading.Event(),
        reader=reader,
        protocol=server.protocol,
        logger=logging.getLogger("pygls"),
        error_handler=server.report_server_error,
    )

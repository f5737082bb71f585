"""What the server says to the client, as far as that client can hear it."""

from __future__ import annotations

import uuid
from asyncio import wait_for
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from stripe.campaign.progress import Progress
from stripe.errors import ExitStatus, StripeError
from stripe.report.progress import describe

PATIENCE = 10.0
"""Seconds to wait for a client that may never answer."""


class Client:
    """The other side."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server

    def _can(self, *path: str) -> bool:
        """Whether the client has said that it has a capability."""
        found: Any = self._server.client_capabilities
        for name in path:
            found = getattr(found, name, None)
        return bool(found)

    @property
    def markup(self) -> types.MarkupKind:
        """How to write hovers."""
        hover = getattr(self._server.client_capabilities.text_document, "hover", None)
        formats = getattr(hover, "content_format", None) or ()
        markdown = types.MarkupKind.Markdown
        return markdown if markdown in formats or not formats else types.MarkupKind.PlainText

    def complain(self, error: StripeError) -> None:
        """Show an error, in the words of the command line."""
        ours = error.exit_status is ExitStatus.INTERNAL
        self.show(str(error), types.MessageType.Error if ours else types.MessageType.Warning)

    def show(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a message to the user."""
        self._server.window_show_message(types.ShowMessageParams(kind, f"stripe: {text}"))

    def log(self, text: str) -> None:
        """Put a text where only those look who want to know."""
        if text.strip():
            self._server.window_log_message(
                types.LogMessageParams(types.MessageType.Log, text.strip())
            )

    async def section(self) -> Any:
        """The configuration section ``stripe``; ``None`` if the client cannot be asked."""
        if not self._can("workspace", "configuration"):
            return None
        item = types.ConfigurationItem(section="stripe")
        params = types.ConfigurationParams(items=[item])
        try:
            answers = await wait_for(self._server.workspace_configuration_async(params), PATIENCE)
        except (JsonRpcException, TimeoutError):
            return None
        return answers[0] if answers else None

    async def register(self) -> None:
        """Ask to be told when settings or files change."""
        wanted = []
        if self._can("workspace", "did_change_configuration", "dynamic_registration"):
            options: Any = types.DidChangeConfigurationRegistrationOptions(section="stripe")
            wanted.append(("stripe-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
        if self._can("workspace", "did_change_watched_files", "dynamic_registration"):
            files = [types.FileSystemWatcher("**/*.{py,c,cc,cpp,cxx,h,hpp,rs}")]
            options = types.DidChangeWatchedFilesRegistrationOptions(files)
            wanted.append(("stripe-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if wanted:
            try:
                params = types.RegistrationParams([types.Registration(*each) for each in wanted])
                await wait_for(self._server.client_register_capability_async(params), PATIENCE)
            except (JsonRpcException, TimeoutError):
                pass

    def refresh(self) -> None:
        """Ask for new lenses and hints, where the client does so on request."""
        if self._can("workspace", "code_lens", "refresh_support"):
            self._server.workspace_code_lens_refresh(None)
        if self._can("workspace", "inlay_hint", "refresh_support"):
            self._server.workspace_inlay_hint_refresh(None)

    async def open(self, uri: str, selection: types.Range) -> bool:
        """Show a place in a file, if the client can."""
        if not self._can("window", "show_document", "support"):
            return False
        params = types.ShowDocumentParams(uri, selection=selection, take_focus=True)
        try:
            shown = self._server.window_show_document_async(params)
            return (await wait_for(shown, PATIENCE)).success
        except (JsonRpcException, TimeoutError):
            return False

    @property
    def edits_documents(self) -> bool:
        """Whether an edit may say of which version of a document it is."""
        return self._can("workspace", "workspace_edit", "document_changes")

    @property
    def confirms(self) -> bool:
        """Whether the client asks before it makes an edit that wants to be confirmed."""
        return self._can("workspace", "workspace_edit", "change_annotation_support")

    async def begin(self, title: str, token: types.ProgressToken | None) -> SearchProgress:
        """Begin to report progress, under ``token`` or one of our own."""
        if self._can("window", "work_done_progress"):
            ours = f"stripe-{uuid.uuid4()}"
            try:
                await wait_for(self._server.work_done_progress.create_async(ours), PATIENCE)
                token = ours
            except (JsonRpcException, TimeoutError):
                pass
        return SearchProgress(self._server, token, title)


class SearchProgress:
    """Progress of one search; silent where there is no ``token`` to report under.

    ``known``: the result so far in a few words, which every message ends with.
    """

    def __init__(
        self, server: LanguageServer, token: types.ProgressToken | None, title: str
    ) -> None:
        self._progress = server.work_done_progress
        self._token = token
        self._best = 0
        self.known = ""
        if token is not None:
            self._progress.begin(
                token,
                types.WorkDoneProgressBegin(
                    title=title, message="running it as it is", cancellable=True, percentage=0
                ),
            )

    def on_cancel(self, act: Callable[[], None]) -> None:
        """Call ``act`` when the user has had enough."""
        if self._token is not None:
            future = self._progress.tokens[self._token]
            future.add_done_callback(lambda done: act() if done.cancelled() else None)

    def __call__(self, progress: Progress) -> None:
        """Say how far the search is; a percentage never goes back."""
        if self._token is None:
            return
        whole = progress.tests + progress.to_do
        share = 100 * progress.tests // whole if whole and progress.stage == "searching" else 99
        self._best = max(self._best, min(share, 99))
        self._report(describe(progress))

    def tell(self, known: str) -> None:
        """Say what is known so far."""
        self.known = known
        self._report("")

    def _report(self, message: str) -> None:
        if self._token is not None:
            told = " | ".join(filter(None, (message, self.known)))
            self._progress.report(
                self._token,
                types.WorkDoneProgressReport(message=told, cancellable=True, percentage=self._best),
            )

    def close(self, message: str) -> None:
        """Take the progress away."""
        if self._token is not None:
            self._progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            self._progress.tokens.pop(self._token, None)

"""The server: what clients ask, and what it does about it."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from stripe.errors import StripeError, UsageError
from stripe.lsp import suspects, why
from stripe.lsp.client import Client
from stripe.lsp.job import Job, one_object, path_of, understand
from stripe.lsp.lenses import Lens, offers, shown_offers
from stripe.lsp.settings import EditorSettings, read
from stripe.lsp.slices import FoundSlices, Sliced, orderly
from stripe.lsp.suspects import FoundSuspects, Suspected, SuspectsView
from stripe.lsp.view import View, line_range
from stripe.lsp.why_hover import WhyHover
from stripe.reduce import Result
from stripe.reduce.reading import from_json
from stripe.report.sarif import place
from stripe.report.style import plural
from stripe.report.suspects import NOTHING, UNTRIED
from stripe.report.why import headline as answer_headline
from stripe.results.suspects import from_json as read_suspects
from stripe.results.why import Document
from stripe.search_process.child import internal
from stripe.search_process.parent import RunningSearch
from stripe.version import __version__

type Answer = dict[str, Any]

type Asked = tuple[types.ProgressToken | None, int | str | None]
"""Under which token progress is told, and the number of the request."""

WORKER = "stripe.lsp.worker"
"""The module that the process of a search runs."""

COMMANDS = ("stripe.why", "stripe.slice", "stripe.suspects", "stripe.criterion", "stripe.clear")
"""What clients may execute; see ``docs/editors.md``."""


class Server(LanguageServer):
    """The state of one connection: settings, slices, and the search that runs."""

    def __init__(self, protocol: type[LanguageServerProtocol]) -> None:
        super().__init__("stripe", __version__, protocol_cls=protocol)
        self.client = Client(self)
        self.settings = EditorSettings()
        self.slices = FoundSlices(self.opened)
        self.suspects = FoundSuspects(self.slices.text)
        self.why: WhyHover | None = None
        self.search: RunningSearch[Any] | None = None
        self.initial: Any = None
        self.asking: asyncio.Future[None] | None = None
        self.published: set[str] = set()

    # --- documents ---------------------------------------------------------------------------

    def documents(self) -> Iterator[tuple[str, TextDocument]]:
        """The open documents that are files, by their resolved paths."""
        for document in list(self.workspace.text_documents.values()):
            if path := _resolved(document.uri):
                yield path, document

    def opened(self, path: str) -> str | None:
        """The text of a file in the editor, if it is open."""
        return next((each.source for found, each in self.documents() if found == path), None)

    def folders(self) -> list[Path]:
        """The folders of the workspace."""
        found = [to_fs_path(uri) for uri in self.workspace.folders]
        root = self.workspace.root_path
        return [Path(path) for path in (*found, root) if path]

    def view(self, uri: str) -> View | None:
        """What is shown in a document, if anything."""
        path = _resolved(uri)
        sliced = self.slices.shown(path) if path else None
        if sliced is None or path is None:
            return None
        return View(sliced, path, self.lines(path), self.workspace.position_codec.client_num_units)

    def suspects_view(self, uri: str) -> SuspectsView | None:
        """The suspects in a document, if there are any."""
        path = _resolved(uri)
        found = self.suspects.shown(path) if path else None
        if found is None or path is None:
            return None
        units = self.workspace.position_codec.client_num_units
        return SuspectsView(found, path, self.lines(path), units)

    def hover(self, uri: str, number: int) -> str | None:
        """Markdown on a line, counted from 1: the answer to "why?", and the slice."""
        path, view = _resolved(uri), self.view(uri)
        told: list[str | None] = [view.hover(number)] if view else []
        if path is not None and self.why is not None:
            lines = self.lines(path)
            source = lines[number - 1].strip() if number <= len(lines) else ""
            told.insert(0, self.why.text(path, number, source))
        return "\n\n---\n\n".join(filter(None, told)) or None

    def lines(self, path: str) -> list[str]:
        """As orderly() has it: the line ends of the protocol, and no others."""
        return (self.slices.text(path) or "").split("\n")

    def publish(self) -> None:
        """Send the diagnostics of all open documents; take back what is not there any more."""
        now = set()
        for _, document in self.documents():
            views = [self.view(document.uri), self.suspects_view(document.uri)]
            if any(views):
                now.add(document.uri)
                self.diagnose(
                    document, [one for each in views if each for one in each.diagnostics()]
                )
            elif document.uri in self.published:
                self.diagnose(document, [])
        self.published = now
        self.client.refresh()

    def diagnose(self, document: TextDocument, found: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, found, document.version)
        )

    # --- settings ----------------------------------------------------------------------------

    def set(self, section: Any) -> None:
        """Take over settings; what is wrong with them is said once."""
        settings, complaints = read(section)
        if complaints:
            error = UsageError("bad-settings", " ".join(complaints), "See docs/editors.md.")
            self.client.complain(error)
        if settings != self.settings:
            self.settings = settings
            self.client.refresh()

    async def ask(self) -> None:
        """Take over what the client has in its configuration, if it can be asked."""
        section = await self.client.section()
        if section is not None:
            self.set(section)

    # --- slices ------------------------------------------------------------------------------

    def refused(self, error: StripeError) -> Answer:
        """Show an error; the answer that says the same."""
        self.client.complain(error)
        slug, message, hint = error.slug, error.message, error.hint
        return {"status": "refused", "slug": slug, "message": message, "hint": hint}

    def must_be_saved(self, job: Job) -> None:
        """Refuse to run what the user does not see: what runs is what is on disk."""
        path = os.path.realpath(os.path.join(job.directory, job.program))
        opened = self.opened(path)
        if opened is not None and orderly(opened) != self.slices.saved(path):
            raise UsageError(
                "not-saved",
                f"{Path(path).name} has changes that are not saved.",
                "Save it and ask again: what runs is what is on disk.",
            )

    async def searched[Found](
        self,
        search: RunningSearch[Found],
        what: str,
        say: Callable[[Found], str],
        token: types.ProgressToken | None,
        better: Callable[[Found], None] = lambda found: None,
    ) -> Found | None:
        """Search; what was found, if anything.  A search that runs already is ended first.

        ``better`` hears each result so far, of which is told what ``say`` says.
        """
        before, self.search = self.search, search
        if before is not None:
            before.stop()
            await before.over.wait()
        report = await self.client.begin(what, token)
        report.on_cancel(search.stop)
        said = "ended"

        def take(found: Found) -> None:
            better(found)
            report.tell(say(found))

        try:
            result, log = await search.run(report, better=take)
            self.client.log(log)
            said = "nothing found yet" if result is None else say(result)
        finally:
            report.close(said)
            if self.search is search:
                self.search = None
        return result

    async def sliced(self, job: Job, request: Mapping[str, Any], asked: Asked) -> Answer:
        """The command ``stripe.slice``: search, and show what is found."""
        search = RunningSearch(WORKER, job.to_json(), from_json, asked[1])
        what = f"Critical slice of {title(job, request)}"
        result = await self.searched(search, what, headline, asked[0])
        if result is None:
            return {"status": "cancelled"}
        found = Sliced(result, request, job.directory)
        await asyncio.to_thread(found.prepare)
        self.slices.add(found)
        self.publish()
        self.warn(found)
        await self.lead(found)
        return answer(found)

    async def suspected(self, job: Job, request: Mapping[str, Any], asked: Asked) -> Answer:
        """The command ``stripe.suspects``: search, and show what is found."""
        search = RunningSearch(WORKER, job.to_json(), read_suspects, asked[1])
        what = f"Suspects of {title(job, request)}"
        result = await self.searched(search, what, suspects.headline, asked[0])
        if result is None:
            return {"status": "cancelled"}
        found = Suspected.from_result(result, request, job.directory, self.slices.saved)
        self.suspects.add(found)
        self.publish()
        if found.changed:
            self.client.complain(_not_as_it_ran(found.changed, "Suspects were"))
        elif not result.places:
            self.client.show(NOTHING if result.tried else UNTRIED)
        else:
            first = result.places[0]
            if found.path(first.file) != _resolved(request.get("uri", "")):
                await self.point(found.uri(first.file), first.line, "The first suspect")
        return suspects.answer(found)

    async def told_why(self, job: Job, request: Mapping[str, Any], asked: Asked) -> Answer:
        """The command ``stripe.why``: ask, tell the first place and lead there."""
        search = RunningSearch(WORKER, replace(job, why=True).to_json(), why.read, asked[1])
        what = f"Why does {title(job, request)} fail?"

        def show(document: Document) -> None:
            happened = document.happened
            lines = self.lines(os.path.realpath(os.path.join(job.directory, happened.file)))
            failing = lines[happened.line - 1].strip() if 0 < happened.line <= len(lines) else ""
            self.why = WhyHover(document, job.directory, request, failing)
            self.client.refresh()

        found = await self.searched(search, what, answer_headline, asked[0], show)
        if found is None:
            return {"status": "cancelled"}
        show(found)
        self.client.log(why.screen(found))
        self.client.show(answer_headline(found))
        answered = why.answer(found, job.directory)
        if answered["places"]:
            first = answered["places"][0]
            await self.point(first["uri"], first["line"], "The first place to look at")
        return answered

    def warn(self, found: Sliced) -> None:
        """Say what a user must know of a slice that was found, beyond what is shown."""
        if changed := self.slices.changed(found):
            self.client.complain(_not_as_it_ran(changed, "The slice was"))
        if any(each.verified is False for each in found.result.slices):
            self.client.show(
                "The slice did not reproduce in a fresh process; do not rely on it. "
                "[not-verified]\nThe program seems to depend on something that changes between "
                "processes.",
                types.MessageType.Warning,
            )

    async def execute(
        self,
        name: str,
        arguments: Sequence[Any],
        token: types.ProgressToken | None,
        request_id: int | str | None,
    ) -> Answer | None:
        """One of :data:`COMMANDS`; whatever goes wrong is shown, and is an answer."""
        try:
            if name in ("stripe.why", "stripe.slice", "stripe.suspects"):
                await self.ask()  # not every client says when its settings change
                suspects = name == "stripe.suspects"
                job, request = understand(
                    arguments, self.settings, self.folders(), suspects=suspects
                )
                self.must_be_saved(job)
                searches = {"stripe.why": self.told_why, "stripe.suspects": self.suspected}
                search = searches.get(name, self.sliced)
                return await search(job, request, (token, request_id))
            if name == "stripe.criterion":
                return self.criterion(arguments)
            self.clear(arguments)
            return None
        except StripeError as error:
            return self.refused(error)
        except Exception as error:
            self.client.log("".join(traceback.format_exception(error)))
            return self.refused(internal(traceback.format_exception_only(error)[-1].strip()))

    async def lead(self, found: Sliced) -> None:
        """Show the file that the slice is in, if it is not in the one that was asked about."""
        asked = _resolved(found.request.get("uri", ""))
        if asked is None or asked in found.paths:
            return
        where = place(found.result, found.slice)
        await self.point(found.uri(where.file), where.line, "The slice")

    async def point(self, uri: str, line: int, what: str) -> None:
        """Show a line of another file, or say where it is."""
        if not await self.client.open(uri, line_range(line)):
            self.client.show(f"{what} is in {path_of(uri).name}, line {line}.")

    def criterion(self, arguments: Sequence[Any]) -> Answer | None:
        """The command ``stripe.criterion``."""
        request = one_object(arguments, {"uri": "a text", "name": "a text"})
        path = os.path.realpath(path_of(request.get("uri", "")))
        shown = self.slices.shown(path)
        if shown is None:
            return None
        names = [each.name for each in shown.result.slices]
        if "name" in request:
            if request["name"] not in names:
                raise UsageError(
                    "no-criterion",
                    f"The slice has no criterion {request['name']!r}; it has {', '.join(names)}.",
                    "Ask for another slice: stripe.slice with check.",
                )
            shown.which = names.index(request["name"])
        else:
            shown.which = (shown.which + 1) % len(names)
        self.publish()
        return {"criterion": shown.which, "name": shown.slice.name}

    def clear(self, arguments: Sequence[Any]) -> None:
        """The command ``stripe.clear``."""
        request = one_object(arguments, {"uri": "a text"}) if arguments else {}
        path = os.path.realpath(path_of(request["uri"])) if "uri" in request else None
        self.slices.clear(path)
        self.suspects.clear(path)
        if self.why is not None and (path is None or self.why.is_about(path)):
            self.why = None
        self.publish()

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The changes that can be tried in a range."""
        uri, only = params.text_document.uri, params.context.only
        view = self.suspects_view(uri)
        if view is None or (only and types.CodeActionKind.QuickFix not in only):
            return []
        version = self.workspace.get_text_document(uri).version
        client = self.client
        return list(
            view.actions(
                uri, version, params.range,
                annotated=client.confirms, versioned=client.edits_documents,
            )
        )  # fmt: skip

    def lenses(self, uri: str) -> list[types.CodeLens]:
        """The lenses of a document."""
        path = to_fs_path(uri)
        if path is None:
            return []
        file = Path(path)
        found: list[Lens] = []
        if view := self.view(uri):
            found += shown_offers(uri, view.sliced)
        text = orderly(self.workspace.get_text_document(uri).source)
        if self.why is not None:
            found += self.why.lens(os.path.realpath(path), text.splitlines())
        folder = next((each for each in self.folders() if file.is_relative_to(each)), file.parent)
        found += offers(uri, file, text, self.settings, folder)
        return [
            types.CodeLens(
                range=types.Range(types.Position(line, 0), types.Position(line, 0)),
                command=types.Command(text, command, arguments=[argument]),
            )
            for line, text, command, argument in found
        ]

    def cancel(self, request_id: int | str) -> bool:
        """End the search that this request has asked for; whether there is one."""
        search = self.search
        if search is None or search.request_id != request_id:
            return False
        search.stop()
        return True

    async def end(self) -> None:
        """End the search that runs, and wait until it is gone."""
        if self.search is not None:
            self.search.stop()
            self.search.stop()
            await self.search.over.wait()


def _resolved(uri: str) -> str | None:
    """The file a document is, however the client spells it."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.realpath(path) if path else None


def _not_as_it_ran(paths: Sequence[str], what: str) -> UsageError:
    names = ", ".join(sorted(Path(path).name for path in paths))
    return UsageError(
        "not-saved",
        f"{what} found, but {names} is not what ran (changed since, or not saved), so it is not "
        "shown.",
        "Save, and ask again.",
    )


def title(job: Job, request: Mapping[str, Any]) -> str:
    """What is sliced, for people."""
    named = request.get("configuration") or job.test or Path(job.program).name
    return str(named)


def headline(result: Result) -> str:
    """What was found, in a few words."""
    return "; ".join(
        f"{each.name}: {len(each.events)} of {plural(each.of, 'event')} kept"
        for each in result.slices
    )


def answer(found: Sliced) -> Answer:
    """The answer of the command ``stripe.slice``."""
    return {
        "status": "sliced",
        "criterion": found.which,
        "files": [found.uri(number) for number in range(len(found.paths))],
        "slices": [
            {
                "name": each.name,
                "check": each.check,
                "kept": len(each.events),
                "of": each.of,
                "certified": each.certified,
                "verified": each.verified,
                "stopped": each.stopped.value,
            }
            for each in found.result.slices
        ],
    }

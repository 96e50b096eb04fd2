"""The language server on standard input and output, which an editor starts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from wherefrom.errors import UsageError, WherefromError
from wherefrom.extend import CommentWords, InsertedLines, parse_location
from wherefrom.options.serving import ProgramOptions
from wherefrom.reports.layout import count
from wherefrom.serve.calls import Call, Defaults
from wherefrom.serve.lsp import answers
from wherefrom.serve.lsp.session import PAUSE, EditorText, Opener, Session, line_numbers, path_of
from wherefrom.support.version import __version__

_Values = ParamSpec("_Values")
_Answer = TypeVar("_Answer")

WHERE_ELSE, COMPARE = "wherefrom.whereElse", "wherefrom.compare"
INSERT_CREDIT, ACCEPT, CHECK = "wherefrom.insertCredit", "wherefrom.accept", "wherefrom.check"

LONGEST_SAID = 500  # the highest number of characters of a message
OFFERED = 3  # actions are offered for this many places of a finding
OPENED = 10.0  # a file that is only opened is checked for at most this many seconds

_REQUEST_FAILED = -32803


def run(opener: Opener, options: ProgramOptions, defaults: Defaults) -> None:
    """Serves one editor until it closes standard input."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs the code, and errors that the editor gets anyway
    with Session(opener, options, defaults) as session:
        make_server(session).start_io()


def make_server(session: Session) -> LanguageServer:
    """The server, with all that an editor may ask."""
    server = LanguageServer("wherefrom", __version__, types.TextDocumentSyncKind.Full)
    editor = Editor(server, session)
    features: tuple[tuple[str, Callable[..., Any]], ...] = (
        (types.INITIALIZE, editor.begin),
        (types.INITIALIZED, editor.configure),
        (types.WORKSPACE_DID_CHANGE_CONFIGURATION, editor.configure),
        (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, editor.configure),
        (types.TEXT_DOCUMENT_DID_OPEN, editor.opened),
        (types.TEXT_DOCUMENT_DID_SAVE, editor.saved),
        (types.TEXT_DOCUMENT_DID_CHANGE, editor.changed),
        (types.TEXT_DOCUMENT_DID_CLOSE, editor.closed),
        (types.TEXT_DOCUMENT_CODE_LENS, editor.lenses),
        (types.TEXT_DOCUMENT_HOVER, editor.hover),
        (types.TEXT_DOCUMENT_CODE_ACTION, editor.actions),
    )
    for name, answer in features:
        server.feature(name)(partial(answer))  # pygls sets attributes, which a method cannot have
    server.command(CHECK)(_answered(editor.check))
    server.command(WHERE_ELSE)(_answered(editor.where_else))
    server.command(COMPARE)(_answered(editor.compare))
    server.command(INSERT_CREDIT)(_answered(editor.credit))
    server.command(ACCEPT)(_answered(editor.accept))
    return server


def _answered(
    command: Callable[_Values, Coroutine[Any, Any, _Answer]],
) -> Callable[_Values, Coroutine[Any, Any, _Answer]]:
    @wraps(command)
    async def answer(*args: _Values.args, **kwargs: _Values.kwargs) -> _Answer:
        try:
            return await command(*args, **kwargs)
        except WherefromError as error:
            raise JsonRpcException(answers.shortened(str(error), LONGEST_SAID), _REQUEST_FAILED) from error

    return answer


class Editor:
    """Answers an editor from its session. The methods without `_` are those of the protocol, and the commands."""

    def __init__(self, server: LanguageServer, session: Session) -> None:
        self._server, self._session = server, session
        self._is_trusted = self._shows_itself = False
        self._said: set[str] = set()

    def begin(self, params: types.InitializeParams) -> None:
        """Takes the options that the editor sends when it starts the server."""
        given = params.initialization_options
        options = given if isinstance(given, dict) else {}
        self._is_trusted = options.get("trusted") is True
        self._shows_itself = options.get("diff") is True

    async def configure(self, _params: Any) -> None:
        """Asks for the index of each folder, if the workspace is trusted: its settings may be those of a stranger."""
        capabilities = self._server.client_capabilities.workspace
        if not self._is_trusted or capabilities is None or not capabilities.configuration:
            return
        folders = list(self._server.workspace.folders.values())
        items = [types.ConfigurationItem(scope_uri=folder.uri, section="wherefrom") for folder in folders]
        given = await self._server.workspace_configuration_async(types.ConfigurationParams(items))
        named: dict[Path, str] = {}
        for folder, settings in zip(folders, given, strict=False):
            path, index = path_of(folder.uri), settings.get("index") if isinstance(settings, dict) else None
            if path is not None and isinstance(index, str) and index.strip():
                try:
                    named[Path(path)] = str(parse_location(index, Path(path)))
                except UsageError as error:
                    self._say(f"the setting wherefrom.index of {folder.name}: {error}")
        self._session.indexes = named

    async def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Checks a file that stays open for a moment, for as long as `OPENED` allows."""
        with suppress(TimeoutError):
            async with asyncio.timeout(OPENED):
                await self._check_quietly(params.text_document.uri, pause=PAUSE)

    async def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """Checks a file."""
        await self._check_quietly(params.text_document.uri)

    async def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Begins the running check of a file again, after a pause."""
        if self._session.is_checking(params.text_document.uri):
            await self._check_quietly(params.text_document.uri, pause=PAUSE)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forgets a file, and removes its diagnostics."""
        self._session.forget(params.text_document.uri)
        self._publish(params.text_document.uri, [])

    async def check(self, uri: str) -> dict[str, int]:
        """Checks a file and shows the findings; returns their number."""
        return {"findings": await self._check(uri)}

    def lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        """A line above each finding; a click compares it with the best place."""
        uri = params.text_document.uri
        text = self._text(uri)
        return [
            types.CodeLens(
                at := text.range(finding.start, finding.end),
                types.Command(finding.title, COMPARE, arguments=[uri, at, finding.places[0]]),
            )
            for finding in self._session.findings(uri, text)
        ]

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The tables of the findings on a line."""
        text = self._text(params.text_document.uri)
        found = self._on(params.text_document.uri, text, params.position.line, params.position.line)
        if not found:
            return None
        capabilities = self._server.client_capabilities.text_document
        formats = capabilities.hover.content_format if capabilities and capabilities.hover else None
        kind = types.MarkupKind.Markdown if types.MarkupKind.Markdown in (formats or ()) else types.MarkupKind.PlainText
        tables = [finding.table(is_markdown=kind is types.MarkupKind.Markdown) for finding in found]
        return types.Hover(types.MarkupContent(kind, "\n\n".join(tables)), text.range(found[0].start, found[0].end))

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done about the findings in a range, and the question where else its code is."""
        uri, at = params.text_document.uri, params.range
        text = self._text(uri)
        made = [_action("Where else is this code?", WHERE_ELSE, uri, at)] if at.start != at.end else []
        for finding in self._on(uri, text, *line_numbers(at)):
            where = text.range(finding.start, finding.end)
            for place in finding.places[:OFFERED]:
                made.append(_action(f"Compare with {place}", COMPARE, uri, where, place))
                made.append(_action(f"Credit {place}", INSERT_CREDIT, uri, where, place))
            made.append(_action("Accept this code for a reason", ACCEPT, uri, where, finding.places[0]))
        return made

    async def where_else(self, uri: str, at: types.Range) -> dict[str, Any]:
        """Where else are the lines of a range?"""
        first, last = line_numbers(at)
        lines = self._text(uri).lines
        if first >= len(lines):
            raise UsageError("the selection is not in the text; select some lines")
        code = "".join(f"{line.rstrip(chr(13) + chr(10))}\n" for line in lines)
        options = self._session.defaults.search
        name = Path(path_of(uri) or uri).name
        limited = replace(options, name=name, lines=(first + 1, min(last + 1, len(lines))))
        places, more = await self._session.ask(uri, Call(answers.where_else, (path_of(uri), code, limited)))
        message = [count(len(places) + more, "place"), *map(str, places)]
        if not self._shows_itself:
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, "\n".join(message)))
        return {"places": places, "more": more}

    async def compare(self, uri: str, at: types.Range, place: answers.EditorPlace) -> dict[str, str]:
        """Writes the text at a place to a file, and shows it beside the file of the editor."""
        content = await self._session.ask(uri, Call(answers.other_side, (place.blob,)))
        other = self._session.side(place, content, path_of(uri) or uri).as_uri()
        if not self._shows_itself:
            line = max(place.first_line - 1, 0)
            there = types.Range(types.Position(line, 0), types.Position(line, 0))
            window = self._server.client_capabilities.window
            if window is not None and window.show_document is not None and window.show_document.support:
                for shown, selection in ((uri, at), (other, there)):
                    await self._server.window_show_document_async(
                        types.ShowDocumentParams(shown, external=False, take_focus=True, selection=selection)
                    )
            else:
                self._say(f"the other side is in {other}", kind=types.MessageType.Info)
        return {"left": uri, "right": other, "title": answers.shortened(str(place), LONGEST_SAID)}

    async def credit(self, uri: str, at: types.Range, place: answers.EditorPlace) -> None:
        """Inserts comments that credit a place."""
        await self._insert(uri, at, answers.crediting(place), "Credit the source")

    async def accept(self, uri: str, at: types.Range, _place: Any, *reason: Any) -> None:
        """Inserts a comment that accepts code."""
        words = reason[0] if reason and isinstance(reason[0], str) else ""
        await self._insert(uri, at, answers.accepting(words), "Accept the code")

    async def _insert(self, uri: str, at: types.Range, words: CommentWords, label: str) -> None:
        text, version = self._text(uri), self._server.workspace.text_documents[uri].version
        values = (Path(path_of(uri) or uri).name, text.lines, line_numbers(at), words)
        inserted = await self._session.ask(uri, Call(answers.comments_around, values))
        edits = [edit_of(lines, text) for lines in inserted]
        capabilities = self._server.client_capabilities.workspace
        if capabilities and capabilities.workspace_edit and capabilities.workspace_edit.document_changes:
            document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
            edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, edits)])
        else:
            edit = types.WorkspaceEdit(changes={uri: edits})
        done = await self._server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))
        if not done.applied:
            raise UsageError("the editor did not insert the comment; the text has changed, so ask again")

    async def _check(self, uri: str, *, pause: float = 0.0) -> int:
        text = self._text(uri)
        checked = await self._session.check(uri, text, pause=pause)
        if checked is None:
            return 0
        self._publish(uri, [self._diagnostic(finding, text) for finding in checked.findings])
        capabilities = self._server.client_capabilities.workspace
        if capabilities is not None and capabilities.code_lens is not None and capabilities.code_lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)
        return len(checked.findings)

    async def _check_quietly(self, uri: str, *, pause: float = 0.0) -> None:
        try:
            await self._check(uri, pause=pause)
        except WherefromError as error:
            self._say(str(error))

    def _publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _on(self, uri: str, text: EditorText, first: int, last: int) -> list[answers.EditorFinding]:
        """The findings on some lines, 0-based and inclusive."""
        return [
            finding
            for finding in self._session.findings(uri, text)
            if text.line_at(finding.start) <= last and first <= text.line_at(finding.end - 1)
        ]

    def _diagnostic(self, finding: answers.EditorFinding, text: EditorText) -> types.Diagnostic:
        best, first = finding.places[0], text.text[finding.start : finding.end].partition("\n")[0].rstrip()
        return types.Diagnostic(
            range=text.range(finding.start, finding.start + len(first)),  # the first line, so that code stays readable
            message=f"{finding.message} {best}",
            severity=types.DiagnosticSeverity(finding.severity),
            code=finding.rule,
            code_description=types.CodeDescription(best.url) if best.url else None,
            source="wherefrom",
            related_information=[_related(place) for place in finding.places if place.url],
        )

    def _text(self, uri: str) -> EditorText:
        document = self._server.workspace.text_documents.get(uri)
        if document is None:
            raise UsageError("the file is not open in the editor; open it first")
        return EditorText(document.source, self._server.workspace.position_encoding)

    def _say(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        line = answers.shortened(f"wherefrom: {message}", LONGEST_SAID)
        if line not in self._said:
            self._said.add(line)
            self._server.window_show_message(types.ShowMessageParams(kind, line))


def _action(
    title: str, command: str, uri: str, at: types.Range, place: answers.EditorPlace | None = None
) -> types.CodeAction:
    kind = "wherefrom" if place is None else types.CodeActionKind.QuickFix
    arguments = [uri, at] if place is None else [uri, at, place]
    return types.CodeAction(title, kind=kind, command=types.Command(title, command, arguments=arguments))


def _related(place: answers.EditorPlace) -> types.DiagnosticRelatedInformation:
    begin, end = types.Position(max(place.first_line - 1, 0), 0), types.Position(place.last_line, 0)
    return types.DiagnosticRelatedInformation(types.Location(place.url, types.Range(begin, end)), str(place))


def edit_of(inserted: InsertedLines, text: EditorText) -> types.TextEdit:
    """The edit that inserts lines; behind a last line without an end, they begin with one."""
    block = "".join(f"{inserted.indent}{line}{text.line_end}" for line in inserted.lines)
    is_after_all = inserted.line >= len(text.lines)
    if is_after_all:
        block = text.line_end + block.removesuffix(text.line_end)
    at = text.position(len(text.text) if is_after_all else sum(map(len, text.lines[: inserted.line])))
    return types.TextEdit(types.Range(at, at), block)

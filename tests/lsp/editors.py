"""A client of the installed command, as an editor is one."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_Handler = TypeVar("_Handler", bound=Callable[..., Any])

SECONDS = 60
"""An answer that takes longer fails the test."""


class EditorClient:
    """An editor: what the server has sent, and the texts as edits have changed them."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.client = LanguageClient("editor", "1")
        self.diagnostics: dict[str, list[list[types.Diagnostic]]] = {}
        self.texts: dict[str, str] = {}
        self.shown: list[types.ShowDocumentParams] = []
        self.messages: list[str] = []
        self.requests: list[types.ConfigurationParams] = []
        self._news = asyncio.Condition()

        # The client of pygls has no types.
        feature = cast("Callable[[str], Callable[[_Handler], _Handler]]", self.client.feature)

        async def changed() -> None:
            async with self._news:
                self._news.notify_all()

        @feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics.setdefault(params.uri, []).append(list(params.diagnostics))
            await changed()

        @feature(types.WINDOW_SHOW_MESSAGE)
        async def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            await changed()

        @feature(types.WINDOW_SHOW_DOCUMENT)
        async def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params)
            return types.ShowDocumentResult(success=True)

        @feature(types.WORKSPACE_CONFIGURATION)
        async def configuration(params: types.ConfigurationParams) -> list[Any]:
            self.requests.append(params)
            await changed()
            return [settings.get(item.scope_uri or "") for item in params.items]

        @feature(types.WORKSPACE_APPLY_EDIT)
        async def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            for uri, edits in (params.edit.changes or {}).items():
                self.change(uri, edited(self.texts[uri], edits))
            return types.ApplyWorkspaceEditResult(applied=True)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until something holds, which news from the server make true."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(holds), SECONDS)

    def open(self, path: Path | str, text: str, language: str = "python") -> str:
        """Opens a text, and returns its URI."""
        uri = path.as_uri() if isinstance(path, Path) else path
        self.texts[uri] = text
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> None:
        """Types a text in place of the former one."""
        self.texts[uri] = text
        document = types.VersionedTextDocumentIdentifier(2, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self, uri: str) -> None:
        """Tells the server that a file was saved."""
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def saved(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics that come when a file is saved."""
        before = len(self.diagnostics.get(uri, []))
        self.save(uri)
        await self.until(lambda: len(self.diagnostics.get(uri, [])) > before)
        return self.diagnostics[uri][-1]

    async def run(self, command: str, *arguments: Any) -> Any:
        """The answer of a command."""
        params = types.ExecuteCommandParams(command, list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), SECONDS)


@asynccontextmanager
async def editor(
    location: Path | str,
    *arguments: str,
    folders: Sequence[Path] = (),
    options: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
) -> AsyncIterator[EditorClient]:
    """An editor that has started the server."""
    made = EditorClient(settings or {})
    command = [sys.executable, "-m", "wherefrom", "lsp", "--index", str(location), *arguments]
    await made.client.start_io(*command, env={**os.environ, **(environment or {})})
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(apply_edit=True, configuration=True, workspace_folders=True),
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
        ),
        window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(support=True)),
    )
    params = types.InitializeParams(
        capabilities=capabilities,
        initialization_options=options,
        workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
    )
    await asyncio.wait_for(made.client.initialize_async(params), SECONDS)
    made.client.initialized(types.InitializedParams())
    try:
        yield made
    finally:
        await asyncio.wait_for(made.client.shutdown_async(None), SECONDS)
        made.client.exit(None)
        await cast("Any", made.client).stop()


def edited(text: str, edits: Sequence[types.TextEdit]) -> str:
    """A text after some insertions of whole lines."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: edit.range.start.line, reverse=True):
        assert edit.range.start == edit.range.end
        at = edit.range.start
        line = lines[at.line]
        lines[at.line] = f"{line[: at.character]}{edit.new_text}{line[at.character :]}"
    return "\n".join(lines)


def run(ask: Callable[[], Awaitable[None]]) -> None:
    """Runs a test."""

    async def run() -> None:
        await ask()

    asyncio.run(run())

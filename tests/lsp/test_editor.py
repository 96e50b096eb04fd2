"""The language server, tried by a client of pygls through the installed command."""

from __future__ import annotations

import asyncio
import re
import stat
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editors import EditorClient, editor, run
from tests.polygons import AREA, FEET, MINE
from tests.repositories import Repository
from tests.service.indexed import UNKNOWN, make_clones
from wherefrom import index_sources

pytestmark = pytest.mark.slow

GEOMETRY = "github.com/example/geometry"

DIAGNOSED = types.DiagnosticSeverity


def span(first: int, last: int) -> dict[str, Any]:
    """Whole lines as a command names them, 0-based."""
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}


async def lenses(client: EditorClient, uri: str) -> list[types.CodeLens]:
    asks = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    return list(await client.client.text_document_code_lens_async(asks) or [])


async def hover(client: EditorClient, uri: str, line: int) -> str:
    asks = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, 0))
    found = await client.client.text_document_hover_async(asks)
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def actions(client: EditorClient, uri: str, at: types.Range) -> list[str]:
    """The titles of the actions; lsprotocol reads an action with a command as a command."""
    asks = types.CodeActionParams(types.TextDocumentIdentifier(uri), at, types.CodeActionContext([]))
    return [action.title for action in await client.client.text_document_code_action_async(asks) or []]


def test_a_saved_file_shows_what_is_elsewhere(code_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MINE)

    async def ask() -> None:
        async with editor(code_index, folders=[tmp_path]) as client:
            uri = client.open(path, MINE)
            area, feet = await client.saved(uri)
            assert (area.severity, feet.severity) == (DIAGNOSED.Warning, DIAGNOSED.Hint)
            assert (area.code, feet.code) == ("copied-unattributed", "copied-attributed")
            assert area.range == types.Range(types.Position(0, 0), types.Position(0, len(MINE.splitlines()[0])))
            assert f"this project does not name that place. {GEOMETRY} geometry.py:2-6 · MIT" in area.message
            assert area.code_description is not None
            assert area.code_description.href.startswith(f"https://{GEOMETRY}/blob/")
            assert [at.message.split()[0].rpartition("/")[2] for at in area.related_information or ()] == [
                "geometry",
                "games",
                "maps",
            ]
            titles = [lens.command.title for lens in await lenses(client, uri) if lens.command]
            assert titles == ["3 places · MIT · not credited", "1 place · credited"]
            table = await hover(client, uri, 2)
            assert table.splitlines()[2:4] == ["| place | lines | license |", "| --- | --- | --- |"]
            row = r"^\| \[github\\\.com/example/geometry geometry\\\.py\]\(https://\S+\) \| 2\\-6 \| MIT \|$"
            assert re.search(row, table, re.MULTILINE)
            assert await hover(client, uri, 6) == ""
            offered = await actions(client, uri, types.Range(types.Position(1, 0), types.Position(1, 4)))
            assert [title.split()[0] for title in offered] == [
                *("Where", "Compare", "Credit", "Compare", "Credit", "Compare", "Credit", "Accept")
            ]
            client.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
            await client.until(lambda: client.diagnostics[uri][-1] == [])

    run(ask)


def test_an_opened_file_shows_what_is_elsewhere(code_index: Path, tmp_path: Path) -> None:
    async def ask() -> None:
        async with editor(code_index, folders=[tmp_path]) as client:
            uri = client.open(tmp_path / "mine.py", MINE)
            await client.until(lambda: bool(client.diagnostics.get(uri)))
            assert [found.code for found in client.diagnostics[uri][-1]] == ["copied-unattributed", "copied-attributed"]

    run(ask)


def test_the_text_in_the_editor_counts_not_the_file(code_index: Path, tmp_path: Path) -> None:
    project = Repository.make(tmp_path / "mine", {"mine.py": UNKNOWN.encode()})

    async def ask() -> None:
        async with editor(code_index, folders=[project.folder]) as client:
            uri = client.open(project.folder / "mine.py", UNKNOWN)
            assert await client.saved(uri) == []
            # A form feed and U+2028 end no line of the protocol, and an emoji has two units.
            head = "# one\f two\u2028 three\r\n"
            client.change(uri, f'{head}EMOJI = "😀"; {AREA}'.replace("\n", "\r\n").replace("\r\r", "\r"))
            assert await client.run("wherefrom.check", uri) == {"findings": 1}
            [found] = client.diagnostics[uri][-1]
            assert (found.range.start.line, found.range.end.line) == (1, 1)
            moved = client.texts[uri].replace(head, f"{head}{head}NEW = 1\r\n")
            client.change(uri, moved)
            [lens] = await lenses(client, uri)
            assert lens.range.start == types.Position(3, found.range.start.character)
            client.change(uri, moved.replace("abs", "sum"))
            assert await lenses(client, uri) == []
            new = client.open(project.folder / "folder" / "new.py", AREA)
            assert await client.run("wherefrom.check", new) == {"findings": 1}
            untitled = client.open("untitled:1", AREA)
            assert await client.run("wherefrom.check", untitled) == {"findings": 0}
            found_there = await client.run("wherefrom.whereElse", untitled, span(0, 5))
            assert len(found_there["places"]) == 3

    run(ask)


def test_the_commands(code_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"

    async def ask() -> None:
        async with editor(code_index) as client:
            uri = client.open(path, f"{AREA}\n\n{FEET}")
            found = await client.run("wherefrom.whereElse", uri, span(0, 5))
            [geometry, *_] = found["places"]
            assert (geometry["repository"], geometry["first_line"], geometry["licenses"]) == (GEOMETRY, 2, "MIT")
            head, first, *_ = client.messages[0].splitlines()
            assert head == "3 places"
            why = r"55 of 55 tokens in the same order"
            assert re.fullmatch(rf"{GEOMETRY} geometry\.py:2-6 · .* · {why} · .*\[MIT\]", first)
            sides = await client.run("wherefrom.compare", uri, span(0, 5), geometry)
            other = Path(unquote(urlsplit(sides["right"]).path))
            assert (sides["left"], other.name) == (uri, "geometry.py")
            assert [shown.uri for shown in client.shown] == [uri, sides["right"]]
            assert other.read_text().startswith("# SPDX-License-Identifier: MIT\ndef area_of_polygon")
            assert (stat.S_IMODE(other.stat().st_mode), stat.S_IMODE(other.parent.stat().st_mode)) == (0o400, 0o700)
            await client.run("wherefrom.insertCredit", uri, span(0, 5), geometry)
            first, *lines = client.texts[uri].splitlines()
            assert re.fullmatch(rf"# From https://{GEOMETRY}/blob/[0-9a-f]{{40}}/geometry\.py#L2-L6", first)
            assert lines[:3] == ["# SPDX-SnippetBegin", "# SPDX-License-Identifier: MIT", AREA.splitlines()[0]]
            assert lines[7] == "# SPDX-SnippetEnd"
            area, feet = await client.saved(uri)
            assert (area.code, feet.code) == ("copied-attributed", "copied-unattributed")
            [_, lens] = await lenses(client, uri)
            assert lens.command is not None
            arguments = lens.command.arguments or ()
            await client.run("wherefrom.accept", *arguments)
            assert "\n# wherefrom: ok\ndef in_feet" in client.texts[uri]
            assert [at.code for at in await client.saved(uri)] == ["copied-attributed", "copied-unattributed"]
            await client.run("wherefrom.accept", *arguments, "it is */ my\nown --> code\\")
            assert "# wherefrom: ok it is / my own -- code\n" in client.texts[uri]
            assert [at.code for at in await client.saved(uri)] == ["copied-attributed"]
        assert not other.exists()
        async with editor(code_index, options={"diff": True}) as client:
            uri = client.open(path, AREA)
            sides = await client.run("wherefrom.compare", uri, span(0, 5), geometry)
            assert sides.keys() == {"left", "right", "title"}
            await client.run("wherefrom.whereElse", uri, span(0, 5))
            assert (client.shown, client.messages) == ([], [])
            for arguments, reason in (
                (("wherefrom.whereElse", "file:///nobody.py", span(0, 5)), "not open"),
                (("wherefrom.whereElse", uri, span(9, 10)), "not in the text"),
                (("wherefrom.compare", uri, span(0, 5), {**geometry, "blob": "0" * 40}), "0000"),
                (("wherefrom.compare", uri, span(0, 5), {"blob": 1}), "Invalid Params"),
                (("wherefrom.insertCredit", uri, span(8, 9), geometry), "not in the text"),
            ):
                with pytest.raises(JsonRpcException, match=reason) as wrong:
                    await client.run(*arguments)
                assert "Traceback" not in str(wrong.value)

    run(ask)


def test_a_project_names_its_index_only_if_the_workspace_is_trusted(code_index: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        (folder / "mine.py").write_text(AREA)
    index_sources([Repository.make(tmp_path / "other", {"other.py": AREA.encode()}).folder], folders[1] / "own", jobs=1)
    settings = {folders[1].as_uri(): {"index": "own"}, folders[0].as_uri(): None}

    async def places(options: dict[str, Any] | None) -> tuple[list[str], int]:
        async with editor(code_index, folders=folders, options=options, settings=settings) as client:
            if options == {"trusted": True}:
                await client.until(lambda: bool(client.requests))
            found = []
            for folder in folders:
                [shown] = await client.saved(client.open(folder / "mine.py", AREA))
                found.append(shown.message.rpartition(". ")[2].split()[0])
            return found, len(client.requests)

    async def ask() -> None:
        assert await places({"trusted": True}) == ([GEOMETRY, str(tmp_path / "other")], 1)
        assert await places({"trusted": "yes"}) == ([GEOMETRY, GEOMETRY], 0)

    run(ask)


def test_without_an_index_the_server_says_so_once_and_waits_for_one(tmp_path: Path) -> None:
    path, location = tmp_path / "mine.py", tmp_path / "index"

    async def ask() -> None:
        async with editor(location) as client:
            uri = client.open(path, AREA)
            client.save(uri)
            await client.until(lambda: len(client.messages) == 1)
            assert "wherefrom index" in client.messages[0]
            with pytest.raises(JsonRpcException, match="wherefrom index"):
                await client.run("wherefrom.check", uri)
            index_sources(make_clones(tmp_path / "clones"), location, jobs=1)
            assert [at.code for at in await client.saved(uri)] == ["copied-unattributed"]
            assert len(client.messages) == 1

    run(ask)


def test_a_slow_index_blocks_no_typing_and_outdated_checks_end(tmp_path: Path) -> None:
    async def ask() -> None:
        questions: asyncio.Queue[asyncio.StreamReader] = asyncio.Queue()
        ended: asyncio.Queue[bytes] = asyncio.Queue()

        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await questions.put(reader)
            while await reader.read(1000):
                pass
            writer.close()
            await ended.put(b"")

        silent = await asyncio.start_server(hang, "127.0.0.1", 0)
        port = silent.sockets[0].getsockname()[1]
        async with silent, editor(f"http://127.0.0.1:{port}/index/") as client:
            uri = client.open(tmp_path / "mine.py", AREA)
            client.save(uri)
            for _ in range(2):
                await asyncio.wait_for(questions.get(), 60)
            assert await lenses(client, uri) == []
            client.change(uri, f"{AREA}\n")
            await asyncio.wait_for(ended.get(), 60)
            assert await hover(client, uri, 0) == ""
            assert client.diagnostics == {}
        silent.close()

    run(ask)


def test_hostile_names_stay_texts(tmp_path: Path) -> None:
    code = (
        "int area(int *xs, int *ys, int count) {\n  int twice = 0;\n  for (int at = 0; at < count; at++) {\n"
        "    int next = (at + 1) % count;\n    twice += xs[at] * ys[next] - xs[next] * ys[at];\n  }\n"
        "  return twice / 2;\n}\n"
    )
    name = "x*/ system(1)\n`|[a](command:b)<img src=c>\x1b[31m\u202e\\"
    source = tmp_path / "hostile" / f"{name}{'long' * 40}" / f"{name}.c"
    source.parent.mkdir(parents=True)
    source.write_text(code)
    index_sources([tmp_path / "hostile"], tmp_path / "index", jobs=1)
    path = tmp_path / "mine" / "area.c"
    path.parent.mkdir()

    async def ask() -> None:
        async with editor(tmp_path / "index") as client:
            uri = client.open(path, code, "c")
            [found] = await client.saved(uri)
            [lens] = await lenses(client, uri)
            assert lens.command is not None
            related = [at.message for at in found.related_information or ()]
            offered = await actions(client, uri, found.range)
            for text in (found.message, lens.command.title, *related, *offered):
                assert len(text) <= 1000
                assert all(unicodedata.category(letter) not in {"Cc", "Cf", "Zl", "Zp"} for letter in text)
            table = await hover(client, uri, 1)
            assert not re.search(r"(?<!\\)[`<]|(?<!\\)\]\(command", table)
            assert len(table) <= 4000
            arguments = lens.command.arguments or ()
            await client.run("wherefrom.insertCredit", *arguments)
            lines = client.texts[uri].splitlines()
            assert [line for line in lines if not line.startswith("// ")] == code.splitlines()
            assert re.fullmatch(r"// From [\w./:%=~#-]+", lines[0], re.ASCII)
            sides = await client.run("wherefrom.compare", *arguments)
            other = Path(unquote(urlsplit(sides["right"]).path))
            assert re.fullmatch(r"[\w-]+\.c", other.name, re.ASCII)
            assert other.read_text() == code

    run(ask)

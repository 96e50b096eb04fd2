"""A session of an editor: its findings, and its questions. A file has at most one question of a kind at a time."""

from __future__ import annotations

import asyncio
import re
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol.types import Position, PositionEncodingKind, Range

from wherefrom.errors import UsageError
from wherefrom.options.serving import ProgramOptions
from wherefrom.public import Index
from wherefrom.serve.calls import Call, Defaults
from wherefrom.serve.desk import Desk
from wherefrom.serve.lsp.answers import EditorFinding, EditorPlace, check_text
from wherefrom.support.closing import Closing
from wherefrom.support.system import system
from wherefrom.support.values import dataclass, replace

_Result = TypeVar("_Result")

PROCESSES = 2
"""The processes for each index: one may be busy with checks while the other answers what somebody waits for."""

WAITING = 100  # the highest number of waiting calls about one index
PAUSE = 1.0  # a check that typing made outdated begins again after a pause of this many seconds

Opener = Callable[[str | None], Callable[[], Index]]
"""Makes the function that opens the index at a location, or with None the index in the user's settings."""


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The findings of a check, and the text that was checked."""

    text: str
    findings: tuple[EditorFinding, ...]

    def within(self, now: str) -> list[EditorFinding]:
        """The findings whose code is still in the text as it is now, each at its nearest place."""
        if now == self.text:
            return list(self.findings)
        found = ((finding, self._moved(finding, now)) for finding in self.findings)
        return [
            replace(finding, start=start, end=start + finding.end - finding.start)
            for finding, start in found
            if start >= 0
        ]

    def _moved(self, finding: EditorFinding, now: str) -> int:
        code, start = self.text[finding.start : finding.end], finding.start
        after, before = now.find(code, start), now.rfind(code, 0, start + len(code))
        return after if before < 0 or 0 <= after - start < start - before else before


class Session(Closing):
    """The questions of one editor; the options have the limits of a call."""

    def __init__(self, opener: Opener, options: ProgramOptions, defaults: Defaults) -> None:
        self._opener, self._options, self.defaults = opener, options, defaults
        self.indexes: dict[Path, str] = {}
        """The location of the index of each folder that names one."""
        self._checked: dict[str, CheckedText] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[Any]] = {}
        self._desks: dict[str | None, Desk] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._sides: dict[str, Path] = {}

    def close(self) -> None:
        """Ends all processes, and removes the temporary files."""
        for desk in self._desks.values():
            desk.close()
        if self._folder is not None:
            self._folder.cleanup()

    async def check(self, uri: str, text: EditorText, *, pause: float = 0.0) -> CheckedText | None:
        """Checks a file and keeps the findings; a running check of it is cancelled. None for a text without a path."""
        path = path_of(uri)
        if path is None:
            return None

        async def checked() -> CheckedText:
            await asyncio.sleep(pause)
            call = Call(check_text, (path, text.text, self.defaults.check), is_long=True)
            return CheckedText(text.text, tuple(await self.desk(path).ask(call)))

        self._checked[uri] = found = await self._alone(uri, "check", checked)
        return found

    async def ask(self, uri: str, call: Call[_Result]) -> _Result:
        """Answers a call about a file; a former call about it, except a check, is cancelled."""
        return await self._alone(uri, "call", lambda: self.desk(path_of(uri)).ask(call))

    def is_checking(self, uri: str) -> bool:
        """Whether a check of a file is running."""
        task = self._tasks.get((uri, "check"))
        return task is not None and not task.done()

    def findings(self, uri: str, text: EditorText) -> list[EditorFinding]:
        """The findings of the last check of a file that are still in its text."""
        checked = self._checked.get(uri)
        return [] if checked is None else checked.within(text.text)

    def forget(self, uri: str) -> None:
        """Cancels all questions about a file, and drops its findings."""
        for kind in ("check", "call"):
            if (task := self._tasks.pop((uri, kind), None)) is not None:
                task.cancel()
        self._checked.pop(uri, None)

    def side(self, place: EditorPlace, content: bytes, like: str) -> Path:
        """A file that only the user can read, with the text at a place; its ending is that of the file at `like`."""
        if place.blob not in self._sides:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="wherefrom-")
            folder = Path(tempfile.mkdtemp(dir=self._folder.name))
            plain = "".join(
                letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_"
                for letter in Path(place.path).stem[:60]
            )
            file = folder / f"{plain or 'code'}{Path(like).suffix}"
            file.write_bytes(content)
            file.chmod(0o400)
            self._sides[place.blob] = file
        return self._sides[place.blob]

    def desk(self, path: str | None) -> Desk:
        """The processes for the index of the innermost folder with a path that names an index, else for the user's."""
        folders = [folder for folder in self.indexes if path is not None and Path(path).is_relative_to(folder)]
        innermost = max(folders, key=lambda folder: len(folder.parts), default=None)
        location = None if innermost is None else self.indexes[innermost]
        if location not in self._desks:
            opener = self._opener(location)
            self._desks[location] = Desk(opener, self._options, processes=PROCESSES, waiting=WAITING, stops=True)
            self._desks[location].start()
        return self._desks[location]

    async def _alone(self, uri: str, kind: str, work: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        former = self._tasks.get((uri, kind))
        if former is not None:
            former.cancel()
        task = asyncio.create_task(work())
        self._tasks[uri, kind] = task
        return await task


def path_of(uri: str) -> str | None:
    """The path of a file; None for a text without one, such as `untitled:1`. Raises UsageError for one elsewhere."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    if parts.netloc not in {"", "localhost"}:
        raise UsageError("the file is on another machine; open a file of this one")
    return system.url_path(system.path_of(unquote_to_bytes(parts.path)))


_LINE_END = re.compile(r"\r\n|\n|\r")

_CODECS = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf32: ("utf-32-le", 4)}
"""The codec of each encoding of positions but UTF-16, and the bytes of a unit."""


class EditorText:
    """A text, whose positions count the units of an encoding. Surrogates without a partner are replaced. It has at
    least one line; lines are with their ends.
    """

    def __init__(self, text: str, encoding: PositionEncodingKind | str | None = None) -> None:
        self.text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        self._codec, self._width = next((_CODECS[kind] for kind in _CODECS if kind == encoding), ("utf-16-le", 2))
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(self.text))]
        self.lines = [self.text[begin:end] for begin, end in pairwise([*self._starts, len(self.text)])]

    @property
    def line_end(self) -> str:
        """The end of its first line that has one, else a line feed."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    def line_at(self, offset: int) -> int:
        """The line with a character, 0-based."""
        return bisect_right(self._starts, offset) - 1

    def position(self, offset: int) -> Position:
        """The position of a character."""
        line = self.line_at(offset)
        before = self.text[self._starts[line] : offset]
        return Position(line, len(before.encode(self._codec)) // self._width)

    def range(self, start: int, end: int) -> Range:
        """The range of some characters."""
        return Range(self.position(start), self.position(end))


def line_numbers(of: Range) -> tuple[int, int]:
    """The first and the last line of a range, 0-based. A range that ends at the beginning of a line excludes it."""
    is_before = of.end.character == 0 and of.end.line > of.start.line
    return of.start.line, of.end.line - is_before

"""Answers of `search` and `similar`, written one after the other."""

from types import TracebackType
from typing import Annotated, Self

from wherefrom.cli import console
from wherefrom.cli.flags import format_option
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.search import RENDERERS
from wherefrom.results import SearchResult

ResultFormat = Annotated[
    str, format_option(RENDERERS, "How the answer is written; json is an array for several snippets.")
]

FOUND, NOTHING, ERROR = 0, 1, 2

SHOWN = 3
"""Blocks that are named where they are left out."""


class Answers:
    """Writes answers one after the other, and keeps the exit code; to be used in a `with` block.

    What was begun is ended in any case, so that an array of JSON is whole where an error comes after its first answers.

    Args:
        renderer: how they are written.
        look: how text is set.
        several: whether there are several, or may be.
    """

    def __init__(self, renderer: Renderer[SearchResult], look: Look, *, several: bool) -> None:
        self.renderer = renderer.several if several and renderer.several is not None else renderer
        self.look = look
        self.found = False
        self.failed = False
        self.too_short: list[str] = []
        self._is_begun = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and not self._is_begun:
            console.emit(self.renderer.header + self.renderer.footer)
        elif self._is_begun and not isinstance(error, BrokenPipeError):
            console.emit(self.renderer.footer)

    def problem(self, message: str) -> None:
        """Something could not be looked up; the rest goes on."""
        console.fail(message)
        self.failed = True

    def skip(self, result: SearchResult) -> None:
        """Leaves out a block of a post that is too short."""
        self.too_short.append(result.query.name)

    def say_skipped(self) -> None:
        """Says which blocks of posts were left out."""
        if self.too_short:
            shown = "; ".join(self.too_short[:SHOWN]) + ("; ..." if len(self.too_short) > SHOWN else "")
            console.say(f"wherefrom: {count(len(self.too_short), 'block')} too short to be looked up: {shown}")

    def write(self, result: SearchResult) -> None:
        """Writes one answer."""
        before = self.renderer.separator if self._is_begun else self.renderer.header
        for part in self.renderer.write(result, self.look):
            console.emit(before + part)
            before = ""
            self._is_begun = True
        self.found = self.found or bool(result.hits)

    @property
    def exit_code(self) -> int:
        """2 where something failed, else 0 where something was found, else 1."""
        if self.failed:
            return ERROR
        return FOUND if self.found else NOTHING

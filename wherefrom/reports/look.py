"""The settings for text that a person reads."""

from __future__ import annotations

from collections.abc import Callable

from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class WholeFile:
    """The limits for comparing whole files. `least` returns the lowest score of a similar file, given the number of
    tokens of the query. At most `compared` files are compared.
    """

    least: Callable[[int], float]
    compared: int


@dataclass(frozen=True, slots=True)
class Look:
    """The settings of an answer. They change only what people read: the text of an answer, and the page of a check.

    The width is in terminal columns, 20 at least. `file` is set if the query is a whole file. `lines` tells whether
    `sources` shows the file line by line; None shows a short file only. `context` lines that do not match are shown
    before and after matching ones, and at most `max_lines` (None for all) of each side of a hit. The `legend` explains
    the marks before lines. The last three are those of a check: its summary alone, every finding, and the accepted ones
    too.
    """

    color: bool = False
    width: int = 100
    explain: bool = False
    file: WholeFile | None = None
    lines: bool | None = None
    context: int = CONTEXT
    max_lines: int | None = MOST_LINES
    legend: bool = True
    only_summary: bool = False
    all_findings: bool = False
    accepted: bool = False

    @property
    def query(self) -> str:
        """The word for the query: `snippet` or `file`."""
        return "snippet" if self.file is None else "file"

    def bold(self, text: str) -> str:
        """The text in bold, for headings."""
        return self._styled("1", text)

    def dim(self, text: str) -> str:
        """The text dimmed, for side notes."""
        return self._styled("2", text)

    def matched(self, text: str) -> str:
        """The text in green, for code that is on both sides."""
        return self._styled("32", text)

    def _styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

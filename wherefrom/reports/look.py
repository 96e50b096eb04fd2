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

    Attributes:
        color: True for text with colors.
        width: terminal columns, 20 at least.
        explain: True if scores are explained.
        file: set if the query is a whole file; None for a snippet.
        lines: True if `sources` shows the file line by line, False if not; None shows a short file only.
        context: unmatched lines that are shown before and after the matching ones.
        max_lines: the highest number of lines that are shown of each side of a hit; None for all.
        legend: True if the marks before lines are explained.
        only_summary: True if a check shows only its summary.
        all_findings: True if a check lists every finding, however many there are.
        accepted: True if a check also lists the accepted findings.
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

"""How text for a person is set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wherefrom.reports.sides import CONTEXT, MOST_LINES


@dataclass(frozen=True, slots=True)
class WholeFile:
    """That a whole file was looked up: the score that one similar to a file of so many tokens needs, and how many files
    are compared at most.
    """

    least: Callable[[int], float]
    compared: int


@dataclass(frozen=True, slots=True)
class Look:
    """How an answer is set. Only text and the page of a check, which people read, depend on it.

    Attributes:
        color: with colors or without.
        width: terminal columns, 20 at least.
        explain: whether scores are explained.
        file: what a whole file that was looked up needs; None for a snippet.
        lines: whether the file whose sources were searched is shown; None for a short one.
        context: unmatched lines that are shown before and after those that match.
        max_lines: lines of each side that are shown of a hit; None for all.
        legend: whether the marks before lines are told.
        only_summary: whether of a check only the summary is shown.
        all_findings: whether a check lists every finding, however many there are.
        accepted: whether a check lists the findings that are accepted.
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
        """What was looked up, in a word."""
        return "snippet" if self.file is None else "file"

    def bold(self, text: str) -> str:
        """Text of a heading."""
        return self._styled("1", text)

    def dim(self, text: str) -> str:
        """Text of the second rank."""
        return self._styled("2", text)

    def matched(self, text: str) -> str:
        """Code that is on both sides."""
        return self._styled("32", text)

    def _styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

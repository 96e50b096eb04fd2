"""`wherefrom: ok REASON`: the comment that accepts a piece of code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.analyzers.positions import encoding, newlines
from wherefrom.languages import LANGUAGES

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzed import Analysis

_MARK = re.compile(r"wherefrom:[ \t]{0,20}ok\b(.*)", re.IGNORECASE)
_LONG_COMMENTS = {closing.decode() for language in LANGUAGES.values() for _, closing in language.long_comments}
_ENDS = re.compile("|".join(map(re.escape, sorted({*_LONG_COMMENTS, "#}", "%}"}))))
"""The ends of comments of all languages that have one, and of templates in HTML."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a file.

    Attributes:
        reasons: by line (1-based), empty where a mark gives none.
        comments: the lines that hold a part of a comment.
    """

    reasons: Mapping[int, str]
    comments: frozenset[int]

    def reason(self, *starts: int, last: int) -> str | None:
        """The reason for which the lines from one of `starts` to `last` are accepted: that of a mark on one of them, or
        in the comment directly above; None where there is none, or none that gives a reason.
        """
        first = min(self._above(start) for start in starts)
        return next((reason for line, reason in self.reasons.items() if first <= line <= last and reason), None)

    def _above(self, line: int) -> int:
        while line - 1 in self.comments:
            line -= 1
        return line


def marks(content: bytes, analysis: Analysis) -> Marks:
    """The marks in the comments of a file, or anywhere in one whose language is not known.

    Args:
        content: all bytes of the file.
        analysis: of that content.
    """
    reasons: dict[int, str] = {}
    lines: set[int] = set()
    ends = newlines(content).tolist()
    for start, end in _comments(content, analysis):
        first = bisect_right(ends, start - 1) + 1
        text = content[start:end].decode(encoding(content), "replace")
        for number, line in enumerate(text.split("\n"), first):
            lines.add(number)
            if mark := _MARK.search(line):
                reasons.setdefault(number, _reason(mark[1]))
    return Marks(dict(sorted(reasons.items())), frozenset(lines if analysis.comments else reasons))


def _comments(content: bytes, analysis: Analysis) -> Iterator[tuple[int, int]]:
    if analysis.comments:
        yield from analysis.comments
    elif not LANGUAGES[analysis.language].grammar:
        yield 0, len(content)


def _reason(text: str) -> str:
    reason = " ".join(_ENDS.split(text, maxsplit=1)[0].split()).strip(" :,;-–—")
    return reason if any(map(str.isalnum, reason)) else ""

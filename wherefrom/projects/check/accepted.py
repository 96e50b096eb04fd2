"""Finds the comments `wherefrom: ok REASON`, which accept a piece of code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.positions import encoding, newlines
from wherefrom.languages import LANGUAGES

_MARK = re.compile(r"wherefrom:[ \t]{0,20}ok\b(.*)", re.IGNORECASE)
_LONG_COMMENTS = {closing.decode() for language in LANGUAGES.values() for _, closing in language.long_comments}
_ENDS = re.compile("|".join(map(re.escape, sorted({*_LONG_COMMENTS, "#}", "%}"}))))
"""The marks that end a long comment, in all languages and in HTML templates."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks `wherefrom: ok` of a file.

    Attributes:
        reasons: the reasons by line (1-based); empty for a mark without a reason.
        comments: the lines with a part of a comment.
    """

    reasons: Mapping[int, str]
    comments: frozenset[int]

    def reason(self, *starts: int, last: int) -> str | None:
        """The reason of the first mark on the lines from the lowest of `starts` to `last`, or in the comment directly
        above them. None if no such mark has a reason.
        """
        first = min(starts)
        while first - 1 in self.comments:
            first -= 1
        return next((reason for line, reason in self.reasons.items() if first <= line <= last and reason), None)


def marks(content: bytes, analysis: Analysis) -> Marks:
    """The marks in the comments of a file, or anywhere in it if its language has no grammar."""
    reasons: dict[int, str] = {}
    lines: set[int] = set()
    ends = newlines(content).tolist()
    # Without a grammar, nothing shows where the comments are, so marks are searched in the whole file.
    everywhere = [] if LANGUAGES[analysis.language].grammar else [(0, len(content))]
    for start, end in analysis.comments or everywhere:
        first = bisect_right(ends, start - 1) + 1
        text = content[start:end].decode(encoding(content), "replace")
        for number, line in enumerate(text.split("\n"), first):
            lines.add(number)
            if mark := _MARK.search(line):
                reasons.setdefault(number, _reason(mark[1]))
    return Marks(dict(sorted(reasons.items())), frozenset(lines if analysis.comments else reasons))


def _reason(text: str) -> str:
    reason = " ".join(_ENDS.split(text, maxsplit=1)[0].split()).strip(" :,;-–—")
    return reason if any(map(str.isalnum, reason)) else ""

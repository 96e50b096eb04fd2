"""SPDX snippet tags: parts of a file with their own source and license (SPDX 2.3, annex H; REUSE 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wherefrom.analyzers.references.reference import Kind, Reference

SNIPPET_WORDS = ("spdx-snippet",)
"""Every text that has one of these tags contains this, in lower case."""

_BEGIN = re.compile(r"SPDX-SnippetBegin\b")
_END = re.compile(r"SPDX-SnippetEnd\b")


def begins(text: str) -> Iterator[tuple[int, str]]:
    """Where each `SPDX-SnippetBegin` of a text is, and the tag."""
    return ((tag.start(), tag[0]) for tag in _BEGIN.finditer(text))


def ends(text: str) -> Iterator[tuple[int, str]]:
    """Where each `SPDX-SnippetEnd` of a text is, and the tag."""
    return ((tag.start(), tag[0]) for tag in _END.finditer(text))


@dataclass(frozen=True, slots=True)
class Snippet:
    """The lines (1-based, inclusive) of a snippet, with its tags; `last` is None where no tag ends it."""

    first: int
    last: int | None

    def holds(self, line: int) -> bool:
        """Whether a line is in it."""
        return self.first <= line and (self.last is None or line <= self.last)


@dataclass(frozen=True, slots=True)
class Snippets:
    """The snippets of a file, the inner ones before those around them."""

    found: tuple[Snippet, ...]

    @staticmethod
    def of(references: Sequence[Reference]) -> Snippets:
        """The snippets of a file that says this. A tag that ends nothing is ignored."""
        open_lines: list[int] = []
        found: list[Snippet] = []
        for reference in references:
            if reference.kind == Kind.SNIPPET_BEGIN:
                open_lines.append(reference.line)
            elif reference.kind == Kind.SNIPPET_END and open_lines:
                found.append(Snippet(open_lines.pop(), reference.line))
        return Snippets((*found, *(Snippet(first, None) for first in reversed(open_lines))))

    def around(self, line: int) -> Snippet | None:
        """The innermost snippet with this line; None where the line is in none."""
        return next((snippet for snippet in self.found if snippet.holds(line)), None)

    def around_all(self, ranges: Sequence[tuple[int, int]]) -> list[Snippet]:
        """The snippets that hold all of these ranges of lines (inclusive), the innermost first."""
        if not ranges:
            return []
        return [snippet for snippet in self.found if all(snippet.holds(line) for pair in ranges for line in pair)]

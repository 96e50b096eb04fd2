"""SPDX snippets: parts of a file with their own source and license (SPDX 2.3, annex H; REUSE 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wherefrom.analyzers.references.reference import Reference, ReferenceKind
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

SNIPPET_WORDS = ("spdx-snippet",)
"""Every text with one of the tags contains this, in lower case."""

BEGIN = later(r"SPDX-SnippetBegin\b")
END = later(r"SPDX-SnippetEnd\b")


def tagged(tag: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """The position and text of each `BEGIN` or `END`."""
    return ((found.start(), found[0]) for found in tag.finditer(text))


@dataclass(frozen=True, slots=True)
class SpdxSnippet:
    """The lines of a snippet, including its tags, 1-based and inclusive. `last` is None if no tag ends it."""

    first: int
    last: int | None

    def holds(self, line: int) -> bool:
        """Whether a line is in the snippet."""
        return self.first <= line and (self.last is None or line <= self.last)


@dataclass(frozen=True, slots=True)
class Snippets:
    """The snippets of a file, inner ones before those around them."""

    found: tuple[SpdxSnippet, ...]

    @staticmethod
    def of(references: Sequence[Reference]) -> Snippets:
        """The snippets of a file with these references. End tags without a begin tag are ignored."""
        open_lines: list[int] = []
        found: list[SpdxSnippet] = []
        for reference in references:
            if reference.kind == ReferenceKind.SNIPPET_BEGIN:
                open_lines.append(reference.line)
            elif reference.kind == ReferenceKind.SNIPPET_END and open_lines:
                found.append(SpdxSnippet(open_lines.pop(), reference.line))
        return Snippets((*found, *(SpdxSnippet(first, None) for first in reversed(open_lines))))

    def around(self, line: int) -> SpdxSnippet | None:
        """The innermost snippet with this line, or None."""
        return next((snippet for snippet in self.found if snippet.holds(line)), None)

    def around_all(self, ranges: Sequence[tuple[int, int]]) -> list[SpdxSnippet]:
        """The snippets that contain all of these inclusive line ranges, the innermost first. Empty without ranges."""
        if not ranges:
            return []
        return [snippet for snippet in self.found if all(snippet.holds(line) for pair in ranges for line in pair)]

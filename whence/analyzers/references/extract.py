"""From a text, or the comments of a file, to its references."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain, islice
from typing import TYPE_CHECKING

from whence.analyzers.references.base import MOST, Kind, Reference, References
from whence.analyzers.references.licences import LICENCE_WORDS, TAG_WORDS, licence_texts, tags
from whence.analyzers.references.people import AUTHOR_WORDS, COPYRIGHT_WORDS, authors, copyrights
from whence.analyzers.references.stretches import stretches
from whence.analyzers.references.targets import target
from whence.analyzers.references.urls import URL_WORDS, urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from whence.analyzers.analysis import Analysis

_QUOTED = 200
"""Characters of a line that are kept."""

_FINDERS = (
    (Kind.SPDX, TAG_WORDS, tags),
    (Kind.LICENCE, LICENCE_WORDS, licence_texts),
    (Kind.COPYRIGHT, COPYRIGHT_WORDS, copyrights),
    (Kind.AUTHOR, AUTHOR_WORDS, authors),
)
"""What is looked for beside URLs, and the lower-case words without which a text holds none of it."""


def of_file(content: bytes, analysis: Analysis) -> References:
    """What a file says of its source in its comments and doc strings, or anywhere where it is prose.

    Args:
        content: all bytes of the file.
        analysis: of that content.
    """
    return _kept(chain.from_iterable(_references(text, line) for text, line in stretches(content, analysis)))


def of_text(text: str, first_line: int = 1) -> References:
    """What a text says of its source; `first_line` is the number of its first line."""
    return _kept(_references(text, first_line))


def _kept(found: Iterable[Reference]) -> References:
    references = iter(dict.fromkeys(found))
    return References(tuple(islice(references, MOST)), sum(1 for _ in references))


def _references(text: str, first_line: int) -> Iterator[Reference]:
    """The references of a text in its order."""
    places = sorted(_places(text))
    if not places:
        return
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for start, kind, value in places:
        line = bisect_right(line_starts, start) - 1
        yield Reference(kind, value, first_line + line, _quoted(text, line_starts[line], start))


def _places(text: str) -> Iterator[tuple[int, Kind, str]]:
    """Where each reference begins, its kind and its value. Most comments hold none of the words that begin one."""
    lowered = text.lower()
    if any(word in lowered for word in URL_WORDS):
        for start, url in urls(text):
            if (found := target(url)) is not None:
                yield start, found.kind, found.url
    for kind, words, find in _FINDERS:
        if any(word in lowered for word in words):
            for start, value in find(text):
                yield start, kind, value


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or where it is long, the part of it about `start`."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()

"""Finds the references in a text, or in the comments of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from typing import NamedTuple

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references.commentary import stretches
from wherefrom.analyzers.references.licenses import LICENSE_WORDS, TAG_WORDS, license_texts, tags
from wherefrom.analyzers.references.links import URL_WORDS, urls
from wherefrom.analyzers.references.packages import PACKAGE_WORDS, packages
from wherefrom.analyzers.references.people import AUTHOR_WORDS, COPYRIGHT_WORDS, authors, copyrights
from wherefrom.analyzers.references.places import lines, lowered
from wherefrom.analyzers.references.reference import MOST, Reference, ReferenceKind, References
from wherefrom.analyzers.references.snippets import BEGIN, END, SNIPPET_WORDS, tagged
from wherefrom.analyzers.references.targets import target

_QUOTED = 200
"""A reference quotes at most this many characters of its line."""


class _Finder(NamedTuple):
    """Finds the references of one kind.

    Attributes:
        kind: the kind; None for URLs, whose kind depends on what they point to.
        words: every text with such a reference contains one of these words, in lower case. If `is_in_lines`, so does
            every line with such a reference.
        find: yields the position and value of each reference in a text.
        is_in_lines: true if each reference is in one line and does not depend on the other lines.
    """

    kind: ReferenceKind | None
    words: tuple[str, ...]
    find: Callable[[str], Iterator[tuple[int, str]]]
    is_in_lines: bool = True


_FINDERS = (
    _Finder(None, URL_WORDS, urls),
    _Finder(ReferenceKind.SPDX, TAG_WORDS, tags),
    _Finder(ReferenceKind.LICENSE, LICENSE_WORDS, license_texts, is_in_lines=False),
    _Finder(ReferenceKind.COPYRIGHT, COPYRIGHT_WORDS, copyrights),
    _Finder(ReferenceKind.AUTHOR, AUTHOR_WORDS, authors),
    _Finder(ReferenceKind.SNIPPET_BEGIN, SNIPPET_WORDS, partial(tagged, BEGIN)),
    _Finder(ReferenceKind.SNIPPET_END, SNIPPET_WORDS, partial(tagged, END)),
)

_PACKAGES = _Finder(ReferenceKind.PACKAGE, PACKAGE_WORDS, packages)

WORDS = tuple(dict.fromkeys(word for finder in _FINDERS for word in finder.words))
"""Every text with a reference contains one of these, in lower case."""


def of_file(content: bytes, analysis: Analysis, words: frozenset[str] | None = None) -> References:
    """The references in the comments and doc strings of a file, or in all of it if it is prose. `words` has the result
    of `words_in(content)`, if it is known.
    """
    # Each finder needs certain words. Most files have few of these, so most finders can be skipped.
    words = words_in(content) if words is None else words
    texts = stretches(content, analysis) if words else ()
    return of_stretches((text, line, _perhaps_in(text, words)) for text, line in texts)


def words_in(content: bytes, words: Iterable[str] = WORDS) -> frozenset[str]:
    """Those of some words that a content contains. It is read as Latin-1 without NUL bytes, whatever its encoding."""
    low = content.replace(b"\0", b"").decode("latin-1").lower()
    return frozenset(word for word in words if word in low)


def of_project_file(content: bytes, analysis: Analysis) -> References:
    """The references in a file of a project that is checked: those of `of_file`, and the packages that it names."""
    return of_file(content, analysis, words_in(content, (*WORDS, *PACKAGE_WORDS)))


def of_stretches(texts: Iterable[tuple[str, int, frozenset[str]]]) -> References:
    """The references in some texts of a file, in order. `texts` has (text, first line, words that it may contain)."""
    return _kept(chain.from_iterable(_references(text, line, _fitting(words)) for text, line, words in texts))


def of_text(text: str, first_line: int = 1) -> References:
    """The references in a text whose first line has the number `first_line`."""
    low = text.lower()
    return _kept(_references(text, first_line, _fitting(frozenset(word for word in WORDS if word in low))))


def _kept(found: Iterable[Reference]) -> References:
    references = iter(dict.fromkeys(found))
    return References(tuple(islice(references, MOST)), sum(1 for _ in references))


def _references(text: str, first_line: int, finders: tuple[_Finder, ...]) -> Iterator[Reference]:
    if finders:
        read = _read_again if len(text) <= _LIKELY_AGAIN else _read
        for kind, line, value, quoted in read(text, finders):
            yield Reference(kind, value, first_line + line, quoted)


def _read(text: str, finders: tuple[_Finder, ...]) -> list[tuple[ReferenceKind, int, str, str]]:
    """The references in a text, in order: kind, line from 0, value, and the text of the line."""
    found = []
    line = line_start = before = 0
    for start, kind, value in sorted(_places(text, finders)):
        if end := 1 + text.rfind("\n", before, start):
            line, line_start = line + text.count("\n", before, end), end
        before = start
        found.append((kind, line, value, _quoted(text, line_start, start)))
    return found


_LIKELY_AGAIN = 5000
"""The longest text, in characters, whose references are cached: many files may begin with the same comment."""

_read_again = lru_cache(512)(_read)


def _places(text: str, finders: tuple[_Finder, ...]) -> Iterator[tuple[int, ReferenceKind, str]]:
    """The position, kind and value of each reference."""
    low = lowered(text)
    for finder in finders:
        parts = ((0, text),) if low is None or not finder.is_in_lines else lines(text, low, finder.words)
        for begin, part in parts:
            for start, value in finder.find(part):
                if finder.kind is not None:
                    yield begin + start, finder.kind, value
                elif (found := target(value)) is not None:
                    yield begin + start, found.kind, found.url


def _perhaps_in(text: str, words: frozenset[str]) -> frozenset[str]:
    """Which of these words a text may contain. If it is not ASCII, all of them, since the lower case of some characters
    beyond ASCII begins with an ASCII letter.
    """
    if not text.isascii():
        return words
    low = text.lower()
    return frozenset([word for word in words if word in low])


@lru_cache(maxsize=4096)  # few different sets of words occur
def _fitting(words: frozenset[str]) -> tuple[_Finder, ...]:
    """The finders of references that contain one of these words."""
    return tuple(finder for finder in (*_FINDERS, _PACKAGES) if not words.isdisjoint(finder.words))


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or only the part around `start` if the line is long."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()

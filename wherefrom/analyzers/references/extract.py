"""From a text, or the comments of a file, to its references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references.commentary import stretches
from wherefrom.analyzers.references.licenses import LICENSE_WORDS, TAG_WORDS, license_texts, tags
from wherefrom.analyzers.references.links import URL_WORDS, urls
from wherefrom.analyzers.references.people import AUTHOR_WORDS, COPYRIGHT_WORDS, authors, copyrights
from wherefrom.analyzers.references.places import lines, lowered
from wherefrom.analyzers.references.reference import MOST, Kind, Reference, References
from wherefrom.analyzers.references.snippets import SNIPPET_WORDS, begins, ends
from wherefrom.analyzers.references.targets import target

_QUOTED = 200
"""Characters of a line that are kept."""


class _Finder(NamedTuple):
    """What is looked for.

    Attributes:
        kind: None for a URL, whose kind is that of what it points to.
        words: in lower case; a text without them, or a line where `is_in_lines`, holds none of it.
        find: gives where each begins in a text, and its value.
        is_in_lines: whether one is always within a line, and does not depend on the other lines.
    """

    kind: Kind | None
    words: tuple[str, ...]
    find: Callable[[str], Iterator[tuple[int, str]]]
    is_in_lines: bool = True


_FINDERS = (
    _Finder(None, URL_WORDS, urls),
    _Finder(Kind.SPDX, TAG_WORDS, tags),
    _Finder(Kind.LICENSE, LICENSE_WORDS, license_texts, is_in_lines=False),
    _Finder(Kind.COPYRIGHT, COPYRIGHT_WORDS, copyrights),
    _Finder(Kind.AUTHOR, AUTHOR_WORDS, authors),
    _Finder(Kind.SNIPPET_BEGIN, SNIPPET_WORDS, begins),
    _Finder(Kind.SNIPPET_END, SNIPPET_WORDS, ends),
)

WORDS = tuple(dict.fromkeys(word for finder in _FINDERS for word in finder.words))
"""The lower-case words one of which is in every text that holds a reference."""


def of_file(content: bytes, analysis: Analysis) -> References:
    """What a file says of its source in its comments and doc strings, or anywhere where it is prose.

    Args:
        content: all bytes of the file.
        analysis: of that content.
    """
    return of_analysis(content, analysis, words_in(content))


def of_analysis(content: bytes, analysis: Analysis, words: frozenset[str]) -> References:
    """The same; `words` are those of `WORDS` that are in the content.

    Of most files most finders find nothing, of all comments together: they need not look at each.
    """
    if not words:
        return References(())
    return of_stretches((text, line, _perhaps_in(text, words)) for text, line in stretches(content, analysis))


def words_in(content: bytes) -> frozenset[str]:
    """Those of `WORDS` that are in a content, read as Latin-1 whatever its encoding."""
    low = content.replace(b"\0", b"").decode("latin-1").lower()
    return frozenset(word for word in WORDS if word in low)


def of_stretches(texts: Iterable[tuple[str, int, frozenset[str]]]) -> References:
    """What some texts of a file say of its source.

    Args:
        texts: each with its first line and those of `WORDS` that it may hold, in order.
    """
    return _kept(chain.from_iterable(_references(text, line, _fitting(words)) for text, line, words in texts))


def of_text(text: str, first_line: int = 1) -> References:
    """What a text says of its source; `first_line` is the number of its first line."""
    low = text.lower()
    return _kept(_references(text, first_line, _fitting(frozenset(word for word in WORDS if word in low))))


def _kept(found: Iterable[Reference]) -> References:
    references = iter(dict.fromkeys(found))
    return References(tuple(islice(references, MOST)), sum(1 for _ in references))


def _references(text: str, first_line: int, finders: tuple[_Finder, ...]) -> Iterator[Reference]:
    """The references of a text in its order."""
    if finders:
        read = _read_again if len(text) <= _LIKELY_AGAIN else _read
        for kind, line, value, quoted in read(text, finders):
            yield Reference(kind, value, first_line + line, quoted)


def _read(text: str, finders: tuple[_Finder, ...]) -> list[tuple[Kind, int, str, str]]:
    """The references of a text in its order: kind, line from 0 on, value, and the line as it is kept."""
    found = []
    line = line_start = before = 0
    for start, kind, value in sorted(_places(text, finders)):
        if end := 1 + text.rfind("\n", before, start):
            line, line_start = line + text.count("\n", before, end), end
        before = start
        found.append((kind, line, value, _quoted(text, line_start, start)))
    return found


_LIKELY_AGAIN = 5000
"""Characters of the longest text that is remembered: the files of a project begin with one comment."""

_read_again = lru_cache(512)(_read)


def _places(text: str, finders: tuple[_Finder, ...]) -> Iterator[tuple[int, Kind, str]]:
    """Where each reference begins, its kind and its value."""
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
    """Those of the words of a content that a part of it may hold. A part that is not ASCII may hold all of them, since
    some of its characters may fold to ASCII letters. Most comments hold none.
    """
    if not text.isascii():
        return words
    low = text.lower()
    return frozenset([word for word in words if word in low])


@lru_cache(maxsize=4096)  # most files and comments hold one of few sets
def _fitting(words: frozenset[str]) -> tuple[_Finder, ...]:
    """The finders one of whose words is among these."""
    return tuple(finder for finder in _FINDERS if not words.isdisjoint(finder.words))


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or where it is long, the part of it about `start`."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()

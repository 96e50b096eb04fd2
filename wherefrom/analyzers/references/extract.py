"""From a text, or the comments of a file, to its references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from wherefrom.analyzers.references.commentary import stretches
from wherefrom.analyzers.references.licenses import LICENSE_WORDS, TAG_WORDS, license_texts, tags
from wherefrom.analyzers.references.links import URL_WORDS, urls
from wherefrom.analyzers.references.people import AUTHOR_WORDS, COPYRIGHT_WORDS, authors, copyrights
from wherefrom.analyzers.references.reference import MOST, Kind, Reference, References
from wherefrom.analyzers.references.snippets import SNIPPET_WORDS, begins, ends
from wherefrom.analyzers.references.targets import target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wherefrom.analyzers.analysis import Analysis

_QUOTED = 200
"""Characters of a line that are kept."""

_Find = Callable[[str], Iterator[tuple[int, str]]]
_Finder = tuple[Kind | None, tuple[str, ...], _Find]

_FINDERS: tuple[_Finder, ...] = (
    (None, URL_WORDS, urls),
    (Kind.SPDX, TAG_WORDS, tags),
    (Kind.LICENSE, LICENSE_WORDS, license_texts),
    (Kind.COPYRIGHT, COPYRIGHT_WORDS, copyrights),
    (Kind.AUTHOR, AUTHOR_WORDS, authors),
    (Kind.SNIPPET_BEGIN, SNIPPET_WORDS, begins),
    (Kind.SNIPPET_END, SNIPPET_WORDS, ends),
)
"""What is looked for, and the lower-case words without which a text holds none of it. The kind of a URL is that of what
it points to.
"""


WORDS = tuple(dict.fromkeys(word for _, words, _ in _FINDERS for word in words))
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
    finders = _fitting(words)
    texts = ((text, line, _fitting_in(finders, text)) for text, line in stretches(content, analysis))
    return _kept(chain.from_iterable(_references(text, line, fitting) for text, line, fitting in texts))


def words_in(content: bytes) -> frozenset[str]:
    """Those of `WORDS` that are in a content, read as Latin-1 whatever its encoding."""
    lowered = content.replace(b"\0", b"").decode("latin-1").lower()
    return frozenset(word for word in WORDS if word in lowered)


def of_stretches(texts: Iterable[tuple[str, int, frozenset[str]]]) -> References:
    """What some texts of a file say of its source.

    Args:
        texts: each with its first line and those of `WORDS` that it may hold, in order.
    """
    return _kept(chain.from_iterable(_references(text, line, _fitting(words)) for text, line, words in texts))


def of_text(text: str, first_line: int = 1) -> References:
    """What a text says of its source; `first_line` is the number of its first line."""
    return _kept(_references(text, first_line, _fitting_in(_FINDERS, text)))


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
    places = sorted(_places(text, finders))
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))] if places else []
    found = []
    for start, kind, value in places:
        line = bisect_right(line_starts, start) - 1
        found.append((kind, line, value, _quoted(text, line_starts[line], start)))
    return found


_LIKELY_AGAIN = 5000
"""Characters of the longest text that is remembered: the files of a project begin with one comment."""

_read_again = lru_cache(512)(_read)


def _places(text: str, finders: tuple[_Finder, ...]) -> Iterator[tuple[int, Kind, str]]:
    """Where each reference begins, its kind and its value."""
    for kind, _, find in finders:
        for start, value in find(text):
            if kind is not None:
                yield start, kind, value
            elif (found := target(value)) is not None:
                yield start, found.kind, found.url


def _fitting_in(finders: tuple[_Finder, ...], text: str) -> tuple[_Finder, ...]:
    """Those one of whose words stands in a text. Most comments hold none."""
    lowered = text.lower()
    return tuple(finder for finder in finders if any(word in lowered for word in finder[1]))


@lru_cache(maxsize=4096)  # most files and comments hold one of few sets
def _fitting(words: frozenset[str]) -> tuple[_Finder, ...]:
    """The finders one of whose words is among these."""
    return tuple(finder for finder in _FINDERS if not words.isdisjoint(finder[1]))


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or where it is long, the part of it about `start`."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()

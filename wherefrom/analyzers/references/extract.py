"""From a text, or the comments of a file, to its references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
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
    from collections.abc import Collection, Iterable

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
    words = words_in(content)
    return of_stretches(words, stretches(content, analysis)) if words else References(())


def words_in(content: bytes) -> frozenset[str]:
    """Those of `WORDS` that are in a content, read as Latin-1 whatever its encoding."""
    lowered = content.replace(b"\0", b"").decode("latin-1").lower()
    return frozenset(word for word in WORDS if word in lowered)


def of_stretches(words: Collection[str], texts: Iterable[tuple[str, int]]) -> References:
    """What some texts of a file say of its source.

    Args:
        words: those of `WORDS` that are in the file. Of most files most finders find nothing, of all comments together:
            they need not look at each.
        texts: each with its first line, in order (`commentary.stretches`).
    """
    finders = [finder for finder in _FINDERS if any(word in words for word in finder[1])]
    return _kept(chain.from_iterable(_references(text, line, finders) for text, line in texts))


def of_text(text: str, first_line: int = 1) -> References:
    """What a text says of its source; `first_line` is the number of its first line."""
    return _kept(_references(text, first_line, _FINDERS))


def _kept(found: Iterable[Reference]) -> References:
    references = iter(dict.fromkeys(found))
    return References(tuple(islice(references, MOST)), sum(1 for _ in references))


def _references(text: str, first_line: int, finders: Sequence[_Finder]) -> Iterator[Reference]:
    """The references of a text in its order."""
    places = sorted(_places(text, finders))
    if not places:
        return
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for start, kind, value in places:
        line = bisect_right(line_starts, start) - 1
        yield Reference(kind, value, first_line + line, _quoted(text, line_starts[line], start))


def _places(text: str, finders: Sequence[_Finder]) -> Iterator[tuple[int, Kind, str]]:
    """Where each reference begins, its kind and its value. Most comments hold none of the words that begin one."""
    for kind, _, find in _fitting(finders, text.lower()):
        for start, value in find(text):
            if kind is not None:
                yield start, kind, value
            elif (found := target(value)) is not None:
                yield start, found.kind, found.url


def _fitting(finders: Sequence[_Finder], lowered: str) -> list[_Finder]:
    """Those one of whose words stands in a text in lower case."""
    return [finder for finder in finders if any(word in lowered for word in finder[1])]


def _quoted(text: str, line_start: int, start: int) -> str:
    """The line that begins at `line_start`, or where it is long, the part of it about `start`."""
    first = line_start if start - line_start < _QUOTED // 2 else start - _QUOTED // 4
    return text[first : first + _QUOTED].partition("\n")[0].strip()

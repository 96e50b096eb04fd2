"""Reads a source without the one quotation mark, or other mark of a string or comment, that is too many.

From such a mark on, a grammar takes code for strings and strings for code, or takes all that is left for one string.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from wherefrom.analyzers import parsing
from wherefrom.analyzers.nodes import Broken, broken_spans
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import ParseTimeout
from wherefrom.languages import Language, forms
from wherefrom.support.pattern import later

_OPENING = later(rb"[^\s\"'`]{0,12}(?:\"\"\"|'''|[\"'`])|%\w?[^\w\s]|\[=*+\[")
_QUOTES = (b'"""', b"'''", b'"', b"'", b"`")
_HERE_DOCUMENT = later(rb"<<[-~<]?[ ]?[\"']?([A-Z_][A-Z0-9_]*+)[\"']?")
_MOST_HERE_DOCUMENTS = 100  # the ends of at most this many here-documents are looked for, each in all of the source

_COMMENTS = (b"/*", b"(*", b"{-", b"#=")
_LIST = len(b"%w[")
_DOUBTFUL = (b'"""', b"'''", *_COMMENTS)
_TRIES = 8  # a source is read again at most this often, each time without another mark
_LONGEST_LINE = 200  # a line of at most this many bytes is left out whole: what is behind a mark in it is hardly code
_WORTH = 200  # another reading is taken if it is better by one part in this many
_OF_ERROR = 25  # a byte that did not parse is as bad as this many bytes in strings and comments of several lines


class Read(NamedTuple):
    """A source, its tokens, and what did not parse (`nodes.broken_spans`)."""

    source: bytes
    parsed: Parsed
    broken: Sequence[Broken]


class Mark(NamedTuple):
    """The mark of a string or comment over several lines, or a mark that nothing ends."""

    start: int
    stop: int  # equal to `start` if the string has no mark, as in a here-document
    end: int  # the end of the string or comment


def has_here_documents(language: Language) -> bool:
    """Whether a string of the language may begin with a word and end with a line that has it alone."""
    return forms.HERE_DOCUMENT in language.long_literals


def marks(language: Language, read: Read) -> list[Mark]:
    """The marks of a source, in order."""
    text, parsed, _ = read
    strings = (parsed.classes == TokenClass.STRING).tolist()
    found = [
        Mark(start, start + 2, end)
        for start, end in parsed.comments
        if text[start : start + 2] in _COMMENTS and b"\n" in text[start:end]
    ]
    line_end, alone = 0, tuple[bytes, ...]()
    for start, end, is_string in zip(parsed.starts.tolist(), parsed.ends.tolist(), strings, strict=True):
        if is_string and b"\n" in text[start:end]:
            opening = _OPENING.match(text, start)
            found.append(Mark(start, opening.end() if opening else start, end))
        elif parsed.errors and (word := _unclosed(text[start:end], is_string=is_string)):
            if start >= line_end:
                line_end = (text.find(b"\n", start) + 1) or len(text)
                line = text[text.rfind(b"\n", 0, start) + 1 : line_end]
                alone = tuple(quote for quote in _QUOTES if line.count(quote) % 2)
            if word.endswith(alone) or (word.startswith(b"%") and len(word) == _LIST):
                stop = start + len(word)
                found.append(Mark(start, stop, stop))
    if has_here_documents(language):
        begun = islice(_HERE_DOCUMENT.finditer(text), _MOST_HERE_DOCUMENTS)
        unended = (at for at in begun if not re.compile(rb"\n[ \t]*+%b\b" % at[1]).search(text, at.end()))
        found += [Mark(*at.span(), at.end()) for at in islice(unended, 1)]
    start = text.rfind(b"?>") if language.opening else -1
    if language.opening and start > text.rfind(language.opening.mark) and not _is_inside(parsed, start):
        begin = text.rfind(language.opening.mark, text.rfind(b"\n", 0, start) + 1, start)
        found.append(Mark(begin if begin > 0 else start, start + 2, len(text)))
    return sorted(found)


def _unclosed(token: bytes, *, is_string: bool) -> bytes:
    opening = _OPENING.match(token)
    if opening is None:
        return b""
    begin: bytes = opening[0]
    quote = next(filter(begin.endswith, _QUOTES), b"")
    is_open = begin == token or (is_string and quote and not token.endswith(quote))
    return begin if is_open else b""


def _is_inside(parsed: Parsed, place: int) -> bool:
    at = bisect_left(parsed.starts, place) - 1
    return (at >= 0 and place < int(parsed.ends[at])) or any(start < place < end for start, end in parsed.comments)


def is_doubtful(text: bytes, mark: Mark) -> bool:
    """Whether a string or comment has its own mark once more, nothing ends a comment, a here-document or a list of
    words, or the text behind the code of a page has no line that begins with a tag.
    """
    start, stop, end = mark
    if text.startswith(b"?>", stop - 2):
        lines = [line.lstrip() for line in text[stop:end].split(b"\n")]
        return len(lines) > 2 and not any(line.startswith(b"<") for line in lines)
    own = text[max(start, stop - 3) : stop]
    if own in _COMMENTS and not text.endswith(own[::-1], stop, end):
        return True
    is_list = text.startswith((b"<<", b"%"), start) and stop == end
    return is_list or (own in _DOUBTFUL and own in text[stop : end - len(own)])


def without_one(language: Language, read: Read, seconds: float, *, is_lost: bool) -> Read | None:
    """A source without the one of its marks that is too many, or without its line, if then more is read as code, or
    with fewer errors. `is_lost` says that the grammar gave up; otherwise a mark has to be doubtful.

    Without the first mark, the text behind the one that is too many is read well, and that before it badly. So the
    search begins where the two readings change places. If the line behind the mark that did not parse is left out
    instead and that is better, the line is broken, not the mark.
    """
    source = read.source
    own = marks(language, read)
    found = [(mark, is_doubtful(source, mark)) for mark in own if mark.start < mark.stop]
    has_errors = read.parsed.errors > 0
    looked_at = [it for it in found if it[1] or (has_errors and source[it[0].start : it[0].stop] not in _COMMENTS)]
    worth = _cost(read, own)
    if not worth or not (looked_at if is_lost else any(is_in for _, is_in in looked_at)):
        return None
    last = len(looked_at) - 1
    tried: dict[int, tuple[float, Read | None]] = {}

    def reading(start: int, stop: int, *, is_line: bool) -> tuple[float, Read | None]:
        """The cost of the source without a part or its line, and that source, unless it takes too long."""
        line = source.rfind(b"\n", 0, start) + 1, (source.find(b"\n", start) + 1 or len(source) + 1) - 1
        if is_line and line[1] - line[0] <= _LONGEST_LINE:
            start, stop = line
        try:
            again = parse(language, source[:start] + b" " * (stop - start) + source[stop:], seconds / _TRIES)
        except ParseTimeout:
            return math.inf, None
        return _cost(again, marks(language, again)), again

    def cost(at: int) -> float:
        """The cost without the line of a mark; beyond `last`, without the mark alone."""
        if at not in tried:
            mark = looked_at[at % (last + 1)][0]
            tried[at] = reading(mark.start, mark.stop, is_line=at <= last)
        return tried[at][0]

    cost(0)
    chosen = [0, *islice((at for at, (_, is_in) in enumerate(looked_at) if is_in), 2), last]
    if (first := tried[0][1]) is not None:
        both = (read, own), (first, marks(language, first))
        here, there = (_costs_before(*it, [mark.start for mark, _ in looked_at]) for it in both)
        chosen.append(min(range(len(looked_at)), key=lambda at: here[at] - there[at]))
    best = min(chosen, key=cost)
    while len(tried) < _TRIES:
        nearest = min((best, max(best - 1, 0), min(best + 1, last)), key=cost)
        if nearest == best:
            break
        best = nearest
    best = min((best + last + 1, best), key=cost)
    least, again = tried[best]
    if again is None or _WORTH * least >= (_WORTH - 1) * worth:
        return None
    mark = looked_at[best % (last + 1)][0]
    behind = islice((span for span in read.broken if span[0] >= mark.start), 1)
    is_other = any(reading(start, stop, is_line=True)[0] < least for start, stop, _ in behind)
    return None if is_other else again


def parse(language: Language, source: bytes, seconds: float) -> Read:
    """Reads a source by its grammar; the errors are those of `parsing.parse`."""
    parsed = parsing.parse(language, source, seconds)
    return Read(source, parsed, broken_spans(language, source, seconds) if parsed.errors else [])


def _cost(read: Read, found: Sequence[Mark]) -> int:
    return _OF_ERROR * read.parsed.errors + sum(mark.end - mark.stop for mark in found)


def _costs_before(read: Read, found: Sequence[Mark], places: Sequence[int]) -> list[int]:
    costs = [(start, _OF_ERROR * (end - start)) for start, end, _ in read.broken]
    costs = sorted([*costs, *((mark.start, mark.end - mark.stop) for mark in found)])
    sums = [0, *accumulate(cost for _, cost in costs)]
    return [sums[bisect_left(costs, (place, 0))] for place in places]

"""Writes the sources of a file for a person: the documents, the unexplained part, and the file line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wherefrom.model import Occurrence
from wherefrom.reports.figures import query_facts, too_short
from wherefrom.reports.layout import as_lines, clip, count, listed, percent, wrapped
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import formats
from wherefrom.reports.sides import TextLines, plain
from wherefrom.results import Lines, Remainder, SourceDocument, SourcesResult
from wherefrom.results.regions import joined
from wherefrom.support.printable import one_line, visible

SHORT = 60
"""By default, a file with at most this many lines is shown line by line."""

OTHERS = 3
"""For a document, at most this many further places and other documents are listed. The JSON format has all."""

RANGES = 12
"""At most this many ranges of lines are named; the JSON format has all."""

INDENT = "   "

UNEXPLAINED, MASKED = "?", "-"
"""The marks before a line that no document explains, and before one that was left out as boilerplate."""


def live_line(done: int, total: int, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    return clip(f"looking up {done + 1:,}/{total:,}", width)


def write(result: SourcesResult, look: Look) -> Iterator[str]:
    """The answer as text. The file itself follows as `look.lines` says."""
    parts = [_head(result, look)]
    for rank, document in enumerate(result.documents, 1):
        parts += ["", *_document(rank, document, look)]
    if result.documents:
        rest = [
            *_remainder("not explained", result.unexplained, look),
            *_remainder("left out as boilerplate", result.masked, look),
        ]
        if result.truncated:
            rest.append("More documents would explain more of it (--limit).")
        parts += ["", *rest] if rest else []
    if result.documents and look.lines is not False and (content := result.texts.query()) is not None:
        text = TextLines(content)
        if look.lines or text.count <= SHORT:
            parts += ["", *_file(result, text, look)]
    yield as_lines(parts)


def _head(result: SourcesResult, look: Look) -> str:
    query = result.query
    head = f"{look.bold(one_line(query.name))} ({query_facts(query)}): "
    if short := too_short(query):
        return f"{head}{short}"
    if not result.documents:
        return f"{head}no indexed document explains a part of it"
    share = min(sum(document.share for document in result.documents), 1.0)
    return f"{head}{count(len(result.documents), 'document explains', 'documents explain')} {percent(share)} of it"


def _document(rank: int, document: SourceDocument, look: Look) -> Iterator[str]:
    first, *others = document.occurrences
    where = _named(joined(pair.document.lines for pair in document.regions))
    yield look.bold(f"{rank}. {visible(first.repository)}  {visible(first.path)}")
    yield from wrapped(f"{percent(document.share)} of the file: {_named(document.lines)}", look.width, INDENT)
    there = f"there: {where} · {visible(document.language)} · {count(document.tokens, 'token')}"
    yield from wrapped(there, look.width, INDENT)
    notes = []
    if document.all_lines != document.lines:
        notes += wrapped(f"explains in all: {_named(document.all_lines)}", look.width, INDENT)
    if others:
        notes += _places(f"and {count(len(others), 'more location')}", others, look)
    if document.alternatives:
        label = f"{count(len(document.alternatives), 'other document')} would do as well"
        notes += _places(label, document.alternatives, look)
    yield from map(look.dim, notes)


def _places(label: str, places: Sequence[Occurrence], look: Look) -> list[str]:
    names = [f"{visible(at.repository)} {visible(at.path)}" for at in places]
    return wrapped(f"{label}: {listed(names, OTHERS)}", look.width, INDENT)


def _named(ranges: Sequence[Lines]) -> str:
    """`line 3`, `lines 1-9, 20`; `parts of lines` for a document that explains no whole line."""
    if not ranges:
        return "parts of lines"
    shown = ", ".join(map(str, ranges[:RANGES]))
    more = f" and {count(len(ranges) - RANGES, 'more range')}" if len(ranges) > RANGES else ""
    noun = "line" if len(ranges) == 1 and ranges[0].first == ranges[0].last else "lines"
    return f"{noun} {shown}{more}"


def _remainder(label: str, remainder: Remainder, look: Look) -> list[str]:
    if not remainder.tokens:
        return []
    return wrapped(f"{label}: {percent(remainder.share)} of the file, {_named(remainder.lines)}", look.width)


def _file(result: SourcesResult, text: TextLines, look: Look) -> Iterator[str]:
    """The lines of the file, each after the rank of the document that explains it, or after a mark."""
    marked = [(UNEXPLAINED, result.unexplained.lines), (MASKED, result.masked.lines)]
    marked += ((str(rank), document.lines) for rank, document in enumerate(result.documents, 1))
    marks = {line: mark for mark, ranges in marked for span in ranges for line in range(span.first, span.last + 1)}
    digits, wide = len(str(text.count)), len(str(len(result.documents)))
    room = max(look.width - digits - wide - 4, 2)
    for number in range(1, text.count + 1):
        mark = marks.get(number, "")
        code = plain(text.line(number), room)
        line = f"{mark:>{wide}} {number:>{digits}} │ "
        painted = look.matched(code) if mark.isdigit() else look.dim(code)
        yield (look.dim(line) + painted).rstrip()


RENDERERS = formats(write)

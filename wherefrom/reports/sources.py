"""What a file is made of, as a person reads it: the documents, what none of them explains, the file line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.model import Occurrence
from wherefrom.reports import data
from wherefrom.reports.figures import too_short
from wherefrom.reports.layout import as_lines, clip, count, lines, listed, percent, wrapped
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.sides import TextLines, pieces
from wherefrom.results import Lines, Region, Remainder, SourceDocument, SourcesResult
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

SHORT = 60
"""Lines up to which a file is shown by default."""

OTHERS = 3
"""Further places, and other documents, that are named of one document; the JSON form holds all of them."""

RANGES = 12
"""Ranges of lines that are named; the JSON form holds all of them."""

UNEXPLAINED, MASKED = "?", "-"
"""Before a line that no document explains; that was left out as boilerplate."""


def live_line(done: int, total: int, width: int = 100) -> str:
    """How far the run is, on one line of at most `width` columns, without a newline."""
    return clip(f"looking up {done + 1:,}/{total:,}", width)


def write(result: SourcesResult, look: Look) -> Iterator[str]:
    """The answer as text, with a newline at its end.

    Args:
        result: the answer.
        look: how it is set; `look.lines` says whether the file itself is shown, None for a short one.
    """
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
    content = result.texts.query() if result.documents and look.lines is not False else None
    if content is not None:
        text = TextLines(content)
        if look.lines or text.count <= SHORT:
            parts += ["", *_file(result, text, look)]
    yield as_lines(parts)


def _head(result: SourcesResult, look: Look) -> str:
    query = result.query
    facts = ", ".join(part for part in (one_line(query.language), count(query.tokens, "token")) if part)
    head = f"{look.bold(one_line(query.name))} ({facts}): "
    short = too_short(query)
    if short is not None:
        return f"{head}{short}"
    if not result.documents:
        return f"{head}no indexed document explains a part of it"
    share = min(sum(document.share for document in result.documents), 1.0)
    verb = "explains" if len(result.documents) == 1 else "explain"
    return f"{head}{count(len(result.documents), 'document')} {verb} {percent(share)} of it"


def _document(rank: int, document: SourceDocument, look: Look) -> Iterator[str]:
    first, *others = document.occurrences
    where = _ranges(_merged(pair.document for pair in document.regions))
    yield look.bold(f"{rank}. {visible(first.repository)}  {visible(first.path)}")
    yield from _indented(f"{percent(document.share)} of the file: {_named(document.lines)}", look)
    yield from _indented(f"there: {where} · {visible(document.language)} · {count(document.tokens, 'token')}", look)
    if document.all_lines != document.lines:
        yield from (look.dim(line) for line in _indented(f"explains in all: {_named(document.all_lines)}", look))
    if others:
        yield from (look.dim(line) for line in _places(f"and {count(len(others), 'more location')}", others, look))
    if document.alternatives:
        label = f"{count(len(document.alternatives), 'other document')} would do as well"
        yield from (look.dim(line) for line in _places(label, document.alternatives, look))


def _places(label: str, places: Sequence[Occurrence], look: Look) -> list[str]:
    names = [f"{visible(at.repository)} {visible(at.path)}" for at in places]
    return _indented(f"{label}: {listed(names, OTHERS)}", look)


def _indented(text: str, look: Look) -> list[str]:
    return [f"   {line}" for line in wrapped(text, max(look.width - 3, 20))]


def _named(ranges: Sequence[Lines]) -> str:
    return _ranges([(span.first, span.last) for span in ranges])


def _ranges(ranges: Sequence[tuple[int, int]]) -> str:
    """`line 3`, `lines 1-9, 20`; where a document has no line of its own, parts of lines."""
    if not ranges:
        return "parts of lines"
    shown = ", ".join(lines(first, last) for first, last in ranges[:RANGES])
    more = f" and {count(len(ranges) - RANGES, 'more range')}" if len(ranges) > RANGES else ""
    noun = "line" if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else "lines"
    return f"{noun} {shown}{more}"


def _merged(regions: Iterable[Region]) -> list[tuple[int, int]]:
    """The lines of regions, ascending, those that touch as one range."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted((region.start_line, region.end_line) for region in regions):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    return merged


def _remainder(label: str, remainder: Remainder, look: Look) -> list[str]:
    if not remainder.tokens:
        return []
    return wrapped(f"{label}: {percent(remainder.share)} of the file, {_named(remainder.lines)}", look.width)


def _file(result: SourcesResult, text: TextLines, look: Look) -> Iterator[str]:
    """The file line by line; before each line the number of the document that explains it, or a mark."""
    marks = {
        **_marked(UNEXPLAINED, result.unexplained.lines),
        **_marked(MASKED, result.masked.lines),
    }
    for rank, document in enumerate(result.documents, 1):
        marks.update(_marked(str(rank), document.lines))
    digits, wide = len(str(text.count)), len(str(len(result.documents)))
    room = max(look.width - digits - wide - 4, 2)
    for number in range(1, text.count + 1):
        mark = marks.get(number, "")
        code = "".join(piece.text for piece in pieces(text.line(number), [], room))
        line = f"{mark:>{wide}} {number:>{digits}} │ "
        painted = look.matched(code) if mark.isdigit() else look.dim(code)
        yield (look.dim(line) + painted).rstrip()


def _marked(mark: str, ranges: Iterable[Lines]) -> dict[int, str]:
    return {line: mark for span in ranges for line in range(span.first, span.last + 1)}


RENDERERS: Mapping[str, Renderer[SourcesResult]] = {
    "text": Renderer(write),
    **data.formats("sources-result.schema.json"),
}
"""The formats; the first one is the default."""

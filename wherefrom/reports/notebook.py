"""Results in a notebook: pieces of HTML with both sides of each match, registered for `_repr_html_`.

The style is that of the report of a check, nested in a class of its own, so that nothing else on the page changes.
Where a content cannot be read, its lines are named instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.check.findings import CheckReport
from wherefrom.errors import WherefromError
from wherefrom.printable import one_line
from wherefrom.reports.attribution_text import sentences
from wherefrom.reports.check.entries import entries, importance
from wherefrom.reports.check.html import section
from wherefrom.reports.check.words import EVIDENCE, summary
from wherefrom.reports.figures import explained, figures, matched, too_short
from wherefrom.reports.layout import NOT_AT_HAND, count, lines, percent
from wherefrom.reports.location_text import location
from wherefrom.reports.markup import STYLE, VARIABLES, code_line, link, text
from wherefrom.reports.sides import Cell, Hidden, Text, rows
from wherefrom.results import Hit, SearchResult, SourcesResult
from wherefrom.results.addresses import address
from wherefrom.results.display import to_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.results import Lines, Region, RegionPair, SourceDocument

SHOWN = 10
"""Hits, documents and findings that are shown; the rest is counted."""

GONE = f"{NOT_AT_HAND}, or the index is closed."

REGIONS = 12
"""Regions named of one hit or document that is not at hand."""


@to_html.register
def _search(result: SearchResult) -> str:
    query = result.query
    found = too_short(query) or count(result.total, "hit")
    parts = [_head(query.name, query.language, query.tokens, found), *_warnings(result.warnings)]
    snippet = _read(result.texts.query) if result.hits else None
    for rank, hit in enumerate(result.hits[:SHOWN], 1):
        parts += _hit(rank, hit, result, snippet)
    parts += _rest(result.total - min(len(result.hits), SHOWN), "hit")
    if (together := explained(result, "snippet")) is not None:
        parts.append(f"<p>{text(together)}</p>\n")
    return _fragment(parts)


@to_html.register
def _sources(result: SourcesResult) -> str:
    query = result.query
    explained = min(sum(document.share for document in result.documents), 1.0)
    found = too_short(query) or f"{count(len(result.documents), 'document')}, {percent(explained)} explained"
    parts = [_head(query.name, query.language, query.tokens, found), *_warnings(result.warnings)]
    file = _read(result.texts.query) if result.documents else None
    for rank, document in enumerate(result.documents[:SHOWN], 1):
        parts += _document(rank, document, result, file)
    parts += _rest(len(result.documents) - SHOWN, "document")
    if result.documents and result.unexplained.lines:
        unexplained = f"{percent(result.unexplained.share)} not explained: {_named(result.unexplained.lines)}"
        parts.append(f"<p>{text(unexplained)}</p>\n")
    return _fragment(parts)


@to_html.register
def _check(report: CheckReport) -> str:
    def source(occurrence: Occurrence) -> bytes | None:
        return _content(lambda: report.texts.at(occurrence))

    found = sorted(entries(report, accepted=True), key=lambda entry: importance(entry, report))
    parts = [
        f"<p><b>{text(one_line(report.project))}</b>, {text(report.state)}: {text(summary(report))}.</p>\n",
        f'<p class="soft">{text(EVIDENCE)}</p>\n',
    ]
    for entry in found[:SHOWN]:
        if entry.folder is None:
            own = Text(report.contents[entry.path])
            parts += [f"<p><b>{text(entry.path)}</b></p>\n", section(entry, own, report, source)]
        else:
            parts.append(section(entry, None, report, source))
    parts += _rest(len(found) - SHOWN, "finding")
    return _fragment(parts)


def _fragment(parts: Iterable[str]) -> str:
    # The other two classes keep a notebook from taking `$` in code for mathematics.
    return (
        f'<div class="wherefrom tex2jax_ignore mathjax_ignore">\n<style>.wherefrom {{ {VARIABLES}\n{STYLE}}}</style>\n'
        f"{''.join(parts)}</div>\n"
    )


def _head(name: str, language: str, tokens: int, found: str) -> str:
    facts = ", ".join(part for part in (language, count(tokens, "token")) if part)
    return f"<p><b>{text(one_line(name))}</b> ({text(facts)}): {text(found)}</p>\n"


def _warnings(warnings: Iterable[str]) -> list[str]:
    return [f"<p>Warning: {text(warning)}</p>\n" for warning in warnings]


def _rest(number: int, noun: str) -> list[str]:
    return [f"<p>and {text(count(number, f'more {noun}'))}</p>\n"] if number > 0 else []


def _hit(rank: int, hit: Hit, result: SearchResult, snippet: Text | None) -> Iterator[str]:
    best = hit.best
    shown = link(_url(result.repositories, best, hit.regions), location(best, hit.regions)) if best else text(hit.blob)
    yield f"<section>\n<h3>{rank}. {shown}</h3>\n"
    facts = f"{', '.join([*figures(hit), hit.language])}{_others(len(hit.occurrences))}"
    yield f"<p>{text(facts)}</p>\n"
    if result.query.excluded_tokens:
        yield f"<p>{text(matched(hit, result.query))}</p>\n"
    if hit.attribution is not None:
        items = "".join(f"<li>{text(sentence)}</li>\n" for sentence in sentences(hit.attribution))
        yield f"<ul>\n{items}</ul>\n"
    document = _read(lambda: result.texts.of(hit.blob, hit.occurrences))
    yield from _sides(hit.regions, snippet, document)
    yield "</section>\n"


def _document(rank: int, document: SourceDocument, result: SourcesResult, file: Text | None) -> Iterator[str]:
    first = document.occurrences[0]
    shown = link(_url(result.repositories, first, document.regions), location(first, document.regions))
    yield f"<section>\n<h3>{rank}. {shown}</h3>\n"
    facts = f"{percent(document.share)} of the file: {_named(document.lines)}{_others(len(document.occurrences))}"
    yield f"<p>{text(facts)}</p>\n"
    content = _read(lambda: result.texts.of(document.blob, document.occurrences))
    yield from _sides(document.regions, file, content)
    yield "</section>\n"


def _url(
    repositories: Mapping[str, RepositoryRecord], place: Occurrence, regions: tuple[RegionPair, ...]
) -> str | None:
    return address(repositories.get(place.repository), place, [pair.document for pair in regions])


def _others(occurrences: int) -> str:
    return f", and {count(occurrences - 1, 'more location')}" if occurrences > 1 else ""


def _named(ranges: Sequence[Lines]) -> str:
    shown = ", ".join(lines(span.first, span.last) for span in ranges[:SHOWN])
    return f"lines {shown}{', ...' if len(ranges) > SHOWN else ''}" if ranges else "parts of lines"


def _sides(pairs: Sequence[RegionPair], query: Text | None, document: Text | None) -> Iterator[str]:
    """Both sides beside each other; which lines match where one of them is not at hand."""
    if not pairs:
        return
    if query is None or document is None:
        items = "".join(
            f"<li>{text(f'{_lines(pair.query)} here: {_lines(pair.document)} there')}</li>\n"
            for pair in pairs[:REGIONS]
        )
        yield f'<ul>\n{items}</ul>\n<p class="soft">{text(GONE)}</p>\n'
        return
    cells = rows(pairs, (query, document))
    here = "".join(_row(query, cell, [pair.query for pair in pairs]) for cell, _ in cells)
    there = "".join(_row(document, cell, [pair.document for pair in pairs]) for _, cell in cells)
    yield f'<div class="sides">\n<div><p>here</p>\n<pre>{here}</pre>\n</div>\n'
    yield f"<div><p>there</p>\n<pre>{there}</pre>\n</div>\n</div>\n"


def _row(source: Text, cell: Cell, regions: Sequence[Region]) -> str:
    if cell is None:
        return '<span class="number"> </span>\n'  # a browser drops a newline that is the first thing in a `pre`
    if isinstance(cell, Hidden):
        noun = "unmatched line" if cell.unmatched else "more line"
        return f'<span class="number">   ...</span>  {count(cell.lines, noun)}\n'
    return code_line(source, cell, [region for region in regions if region.start_line <= cell <= region.end_line])


def _lines(region: Region) -> str:
    noun = "line" if region.start_line == region.end_line else "lines"
    return f"{noun} {lines(region.start_line, region.end_line)}"


def _read(read: Callable[[], bytes | None]) -> Text | None:
    content = _content(read)
    return None if content is None else Text(content)


def _content(read: Callable[[], bytes | None]) -> bytes | None:
    """A content; None where it cannot be read, such as from an index that is closed."""
    try:
        return read()
    except (WherefromError, OSError):
        return None

"""Results in a notebook: pieces of HTML with both sides of each match, registered for `_repr_html_`.

They are made of what pages are made of, the style nested in a class of its own, so that nothing else in the notebook
changes. Where a content cannot be read, its lines are named instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from markupsafe import Markup

from wherefrom.analyzers.guessing import guess
from wherefrom.errors import WherefromError
from wherefrom.model import Occurrence
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.attribution_text import sentences
from wherefrom.reports.check.entries import entries, importance
from wherefrom.reports.check.html import section
from wherefrom.reports.check.words import EVIDENCE, summary
from wherefrom.reports.figures import explained, matched, nearest, too_short
from wherefrom.reports.hit_fields import figures
from wherefrom.reports.layout import NOT_AT_HAND, count, listed, percent
from wherefrom.reports.location_text import location, region_lines
from wherefrom.reports.pages.rendering import nested_style, render
from wherefrom.reports.pages.sides import Side, facing
from wherefrom.reports.sides import TextLines, rows
from wherefrom.results import Hit, Lines, QueryInfo, RegionPair, SearchResult, SourceDocument, SourcesResult
from wherefrom.results.display import to_html_by_type
from wherefrom.support.printable import one_line

SHOWN = 10
"""Hits, documents and findings that are shown; the rest is counted."""

GONE = f"{NOT_AT_HAND}, or the index is closed."

REGIONS = 12
"""Regions named of one hit or document that is not at hand."""


@to_html_by_type.register
def _search(result: SearchResult) -> str:
    snippet = _read(result.texts.query) if result.hits else None
    return _fragment(
        result.query.name,
        found=too_short(result.query) or count(result.total, "hit"),
        facts=_facts(result.query),
        notes=_warnings(result.warnings),
        hits=[_hit(rank, hit, result, snippet) for rank, hit in enumerate(result.hits[:SHOWN], 1)],
        last=_last(result),
    )


def _last(result: SearchResult) -> list[str]:
    """What is said after the hits: how many more there are, what all of them explain, or what came nearest to one."""
    together = explained(result, "snippet")
    near = [] if result.refused is None else [nearest(result.refused)]
    more = _rest(result.total - min(len(result.hits), SHOWN), "hit")
    return [*more, *([] if together is None else [together]), *near]


@to_html_by_type.register
def _sources(result: SourcesResult) -> str:
    share = min(sum(document.share for document in result.documents), 1.0)
    found = f"{count(len(result.documents), 'document')}, {percent(share)} explained"
    file = _read(result.texts.query) if result.documents else None
    last = _rest(len(result.documents) - SHOWN, "document")
    if result.documents and result.unexplained.lines:
        last.append(f"{percent(result.unexplained.share)} not explained: {_named(result.unexplained.lines)}")
    return _fragment(
        result.query.name,
        found=too_short(result.query) or found,
        facts=_facts(result.query),
        notes=_warnings(result.warnings),
        hits=[_document(rank, document, result, file) for rank, document in enumerate(result.documents[:SHOWN], 1)],
        last=last,
    )


@to_html_by_type.register
def _check(report: CheckReport) -> str:
    def source(occurrence: Occurrence) -> bytes | None:
        return _content(lambda: report.texts.at(occurrence))

    found = sorted(entries(report, accepted=True), key=lambda entry: importance(entry, report))
    sections: list[tuple[str, Markup]] = []
    for entry in found[:SHOWN]:
        if entry.folder is None:
            sections.append((entry.path, section(entry, TextLines(report.contents[entry.path]), report, source)))
        else:
            sections.append(("", section(entry, None, report, source)))
    return _fragment(
        report.project,
        found=f"{summary(report)}.",
        facts=f", {report.state}",
        notes=[EVIDENCE],
        sections=sections,
        last=_rest(len(found) - SHOWN, "finding"),
    )


def _fragment(
    name: str,
    *,
    found: str,
    facts: str,
    notes: Sequence[str],
    hits: Sequence[dict[str, Any]] = (),
    sections: Sequence[tuple[str, Markup]] = (),
    last: Sequence[str],
) -> str:
    page = render(
        "notebook.html",
        style=nested_style(),
        name=one_line(name),
        found=found,
        facts=facts,
        notes=notes,
        hits=hits,
        sections=sections,
        last=last,
        gone=GONE,
    )
    return str(page)


def _facts(query: QueryInfo) -> str:
    return f" ({', '.join(part for part in (query.language, count(query.tokens, 'token')) if part)})"


def _warnings(warnings: Iterable[str]) -> list[str]:
    return [f"Warning: {warning}" for warning in warnings]


def _rest(number: int, noun: str) -> list[str]:
    return [f"and {count(number, f'more {noun}')}"] if number > 0 else []


def _hit(rank: int, hit: Hit, result: SearchResult, snippet: TextLines | None) -> dict[str, Any]:
    """A hit, as the macro `hit` shows it."""
    best = hit.best_place
    facts = [f"{', '.join([*figures(hit), hit.language])}{_others(len(hit.occurrences))}"]
    if result.query.excluded_tokens:
        facts.append(matched(hit, result.query))
    content = _content(lambda: result.texts.of(hit.blob, hit.occurrences))
    return {
        "rank": rank,
        "title": location(best.occurrence, hit.regions) if best else hit.blob,
        "url": best.location.url if best else None,
        "facts": facts,
        "notes": [] if hit.attribution is None else [*sentences(hit.attribution)],
        "sides": _sides(hit.regions, snippet, content, "" if best is None else best.occurrence.path),
        "matches": _matches(hit.regions),
    }


def _document(rank: int, document: SourceDocument, result: SourcesResult, file: TextLines | None) -> dict[str, Any]:
    first = document.occurrences[0]
    content = _content(lambda: result.texts.of(document.blob, document.occurrences))
    others = _others(len(document.occurrences))
    return {
        "rank": rank,
        "title": location(first, document.regions),
        "url": document.locations[0].url,
        "facts": [f"{percent(document.share)} of the file: {_named(document.lines)}{others}"],
        "notes": [],
        "sides": _sides(document.regions, file, content, first.path),
        "matches": _matches(document.regions),
    }


def _others(occurrences: int) -> str:
    return f", and {count(occurrences - 1, 'more location')}" if occurrences > 1 else ""


def _named(ranges: Sequence[Lines]) -> str:
    return f"lines {listed([*map(str, ranges)], SHOWN)}" if ranges else "parts of lines"


def _sides(pairs: Sequence[RegionPair], query: TextLines | None, content: bytes | None, path: str) -> tuple[Side, ...]:
    """Both sides beside each other; empty where one of them is not at hand."""
    if not pairs or query is None or content is None:
        return ()
    texts = query, TextLines(content)
    here, there = facing(rows(pairs, texts), texts, pairs)
    language = guess(path, content)
    return Side("here", "", None, language, tuple(here)), Side("there", "", None, language, tuple(there))


def _matches(pairs: Sequence[RegionPair]) -> list[str]:
    """Which lines match, in words."""
    return [f"{region_lines(pair.query)} here: {region_lines(pair.document)} there" for pair in pairs[:REGIONS]]


def _read(read: Callable[[], bytes | None]) -> TextLines | None:
    content = _content(read)
    return None if content is None else TextLines(content)


def _content(read: Callable[[], bytes | None]) -> bytes | None:
    """A content; None where it cannot be read, such as from an index that is closed."""
    try:
        return read()
    except (WherefromError, OSError):
        return None

"""Shows results in a notebook: fragments of HTML with both sides of each match, registered for `_repr_html_`.

They use the templates and styles of pages. The styles apply only inside a class of ours, so that nothing else in the
notebook changes. If a content cannot be read, the fragment names its lines instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from wherefrom.extend import guess
from wherefrom.public import CheckReport
from wherefrom.reports.check import words
from wherefrom.reports.check.html import section
from wherefrom.reports.figures import explained, nearest, query_facts, too_short
from wherefrom.reports.hit_fields import figures, location, notes, region_lines
from wherefrom.reports.layout import NOT_AT_HAND, count, listed, percent
from wherefrom.reports.pages.rendering import nested_style, render
from wherefrom.reports.pages.sides import ShownSide, facing, readable
from wherefrom.reports.sides import TextLines, rows
from wherefrom.results import Hit, Lines, RegionPair, SearchResult, SourceDocument, SourcesResult
from wherefrom.results.locations import Texts, to_html_by_type
from wherefrom.support.printable import one_line

SHOWN = 10  # at most this many hits, documents or findings are shown; the others are counted

GONE = f"{NOT_AT_HAND}, or the index is closed."

REGIONS = 12  # if the content of a hit or document is not at hand, at most this many of its regions are named


@to_html_by_type.register
def _search(result: SearchResult) -> str:
    snippet = readable(result.texts.query) if result.hits else None
    hits = [_hit(rank, hit, result, snippet) for rank, hit in enumerate(result.hits[:SHOWN], 1)]
    last = _rest(result.total - min(len(result.hits), SHOWN), "hit")
    if together := explained(result, "snippet"):
        last.append(together)
    if result.refused is not None:
        last.append(nearest(result.refused))
    return _of_query(result, count(result.total, "hit"), hits, last)


@to_html_by_type.register
def _sources(result: SourcesResult) -> str:
    share = min(sum(document.share for document in result.documents), 1.0)
    found = f"{count(len(result.documents), 'document')}, {percent(share)} explained"
    file = readable(result.texts.query) if result.documents else None
    last = _rest(len(result.documents) - SHOWN, "document")
    if result.documents and result.unexplained.lines:
        last.append(f"{percent(result.unexplained.share)} not explained: {_named(result.unexplained.lines)}")
    hits = [_document(rank, document, result, file) for rank, document in enumerate(result.documents[:SHOWN], 1)]
    return _of_query(result, found, hits, last)


@to_html_by_type.register
def _check(report: CheckReport) -> str:
    def lines_of(path: str) -> TextLines:
        return TextLines(report.contents[path])

    # If the index was closed, the notebook names the places without their code.
    report = replace(report, texts=Texts(at=partial(readable, report.texts.at)))
    found = sorted(words.entries(report, accepted=True), key=lambda entry: words.importance(entry, report))
    sections = [("" if entry.folder else entry.path, section(entry, report, lines_of)) for entry in found[:SHOWN]]
    return _fragment(
        report.project,
        found=f"{words.summary(report)}.",
        facts=f", {report.state}",
        notes=[words.EVIDENCE],
        sections=sections,
        last=_rest(len(found) - SHOWN, "finding"),
    )


def _of_query(result: SearchResult | SourcesResult, found: str, hits: list[dict[str, Any]], last: list[str]) -> str:
    return _fragment(
        result.query.name,
        found=too_short(result.query) or found,
        facts=f" ({query_facts(result.query)})",
        notes=[f"Warning: {warning}" for warning in result.warnings],
        hits=hits,
        last=last,
    )


def _fragment(name: str, **values: Any) -> str:
    """The template `notebook.html`, filled in. The template's comment lists the values that it takes."""
    return str(render("notebook.html", style=nested_style(), name=one_line(name), gone=GONE, **values))


def _rest(number: int, noun: str) -> list[str]:
    return [f"and {count(number, f'more {noun}')}"] if number > 0 else []


def _hit(rank: int, hit: Hit, result: SearchResult, snippet: bytes | None) -> dict[str, Any]:
    best = hit.best_place
    content = readable(result.texts.of, hit.blob, hit.occurrences)
    path = "" if best is None else best.occurrence.path
    return {
        "rank": rank,
        "title": location(best.occurrence, hit.regions) if best else hit.blob,
        "url": best.location.url if best else None,
        "facts": [f"{', '.join(figures(hit, result.query))}{_others(len(hit.occurrences))}"],
        "notes": notes(best) if best else [],
        "by_terms": hit.by_terms,
        **_matches(hit.regions, None if hit.by_terms else snippet, content, path),
    }


def _document(rank: int, document: SourceDocument, result: SourcesResult, file: bytes | None) -> dict[str, Any]:
    first = document.occurrences[0]
    content = readable(result.texts.of, document.blob, document.occurrences)
    others = _others(len(document.occurrences))
    return {
        "rank": rank,
        "title": location(first, document.regions),
        "url": document.locations[0].url,
        "facts": [f"{percent(document.share)} of the file: {_named(document.lines)}{others}"],
        "notes": [],
        "by_terms": False,
        **_matches(document.regions, file, content, first.path),
    }


def _others(occurrences: int) -> str:
    return f", and {count(occurrences - 1, 'more location')}" if occurrences > 1 else ""


def _named(ranges: Sequence[Lines]) -> str:
    return f"lines {listed([*map(str, ranges)], SHOWN)}" if ranges else "parts of lines"


def _matches(pairs: Sequence[RegionPair], query: bytes | None, content: bytes | None, path: str) -> dict[str, Any]:
    """Both sides, empty if one of them is not at hand, and the matching lines in words."""
    shown: tuple[ShownSide, ...] = ()
    if pairs and query is not None and content is not None:
        texts = TextLines(query), TextLines(content)
        language = guess(path, content)
        sides = ShownSide("here", "", None, language), ShownSide("there", "", None, language)
        shown = facing(rows(pairs, texts), texts, pairs, sides)
    matches = [f"{region_lines(pair.query)} here: {region_lines(pair.document)} there" for pair in pairs[:REGIONS]]
    return {"sides": shown, "matches": matches}

"""CSV: one row for each occurrence of each hit."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from wherefrom.reports.attribution_text import quoted
from wherefrom.reports.cells import guarded, row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.reports.look import Look
    from wherefrom.results import Attribution, Region, SearchResult

COLUMNS = (
    "query",
    "rank",
    "score",
    "match",
    "strength",
    "probability",
    "containment",
    "longest_run",
    "matched_tokens",
    "remaining_tokens",
    "excluded_tokens",
    "language",
    "repository",
    "path",
    "revision",
    "blob",
    "query_lines",
    "document_lines",
    "verdict",
    "where",
    "evidence",
    "licenses",
    "first_seen",
    "is_older",
    "decided_by",
    "hint",
)

HEADER = row(COLUMNS)


def write(result: SearchResult, _look: Look) -> Iterator[str]:
    """The rows of one answer, each with the figures of its own location; `rank` counts hits from 1, lines are ranges
    such as `L3-L9 L12-L12` (with letters, for a spreadsheet takes `3-9` for a date).
    """
    yield "".join(
        row(
            (
                guarded(result.query.name),
                rank,
                content.score,
                content.match,
                content.strength or "",
                "" if content.probability is None else content.probability,
                content.containment,
                content.longest_run,
                content.matched_tokens,
                result.query.remaining_tokens,
                result.query.excluded_tokens,
                guarded(hit.language),
                guarded(at.repository),
                guarded(at.path),
                guarded(at.revision),
                guarded(at.blob),
                _lines(pair.query for pair in content.regions),
                _lines(content.matched_regions),
                *_attribution(attribution),
            )
        )
        for rank, hit in enumerate(result.hits, 1)
        for contents in (hit.contents,)
        for at, attribution in zip_longest(hit.occurrences, hit.attributions)
        for content in (contents[at.blob],)
    )


def _lines(regions: Iterable[Region]) -> str:
    return " ".join(f"L{region.start_line}-L{region.end_line}" for region in regions)


def _attribution(attribution: Attribution | None) -> list[str]:
    """The cells of what a place says of its source, empty where no source was given."""
    if attribution is None:
        return [""] * 8
    first = attribution.evidence[0] if attribution.evidence else None
    return [
        str(attribution.verdict),
        str(first.where) if first else "",
        guarded(quoted(first)) if first else "",
        guarded(", ".join(attribution.licenses)),
        attribution.first_seen or "",
        "" if attribution.is_older is None else str(attribution.is_older).lower(),
        str(attribution.decided_by),
        guarded(quoted(attribution.hints[0])) if attribution.hints else "",
    ]

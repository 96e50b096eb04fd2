"""What a row of a search for posts holds, whatever the format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wherefrom.results import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.posts import PostBlock
    from wherefrom.posts.search import PostAnswer
    from wherefrom.results import Attribution, Hit, Location, Region, SearchResult

COLUMNS = (
    "post",
    "question",
    "block",
    "created",
    "post_license",
    "language",
    "tokens",
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
    "repository",
    "path",
    "revision",
    "swhid",
    "purl",
    "query_lines",
    "document_lines",
    "occurrences",
    "unattributed",
    "verdict",
    "where",
    "evidence",
    "licenses",
    "first_seen",
    "is_older",
    "decided_by",
    "hint",
)
"""The columns of CSV, and the keys of a line of JSON; `docs/posts.md` says what each of them is."""


def values(answer: PostAnswer) -> Iterator[dict[str, Any]]:
    """The rows of a block by column, one for each hit, the best first."""
    if answer.result is not None:
        for rank, hit in enumerate(answer.result.hits, 1):
            yield _row(answer.block, answer.result, rank, hit)


def least_attributed(hit: Hit) -> tuple[Location, Attribution]:
    """The location of a hit that says least of the source, and what it says."""
    return next(
        (location, attribution)
        for location, attribution in zip(hit.locations, hit.attributions, strict=True)
        if attribution == hit.attribution
    )


def _row(block: PostBlock, result: SearchResult, rank: int, hit: Hit) -> dict[str, Any]:
    location, attribution = least_attributed(hit)
    at = location.occurrence
    content = hit.contents[at.blob]
    evidence = attribution.evidence[0] if attribution.evidence else None
    row = (
        block.post.url,
        block.post.question_url,
        block.block.number,
        block.post.created.isoformat(),
        block.post.license,
        result.query.language,
        result.query.tokens,
        rank,
        content.score,
        content.match,
        None if content.strength is None else str(content.strength),
        content.probability,
        content.containment,
        content.longest_run,
        content.matched_tokens,
        result.query.remaining_tokens,
        result.query.excluded_tokens,
        at.repository,
        at.path,
        at.revision,
        location.swhid,
        location.purl,
        _lines(pair.query for pair in content.regions),
        _lines(content.matched_regions),
        len(hit.occurrences),
        sum(each.verdict is Verdict.UNATTRIBUTED for each in hit.attributions),
        str(attribution.verdict),
        None if evidence is None else str(evidence.where),
        evidence,
        list(attribution.licenses),
        attribution.first_seen,
        attribution.is_older,
        str(attribution.decided_by),
        attribution.hints[0] if attribution.hints else None,
    )
    return dict(zip(COLUMNS, row, strict=True))


def _lines(regions: Iterable[Region]) -> list[list[int]]:
    return [[region.start_line, region.end_line] for region in regions]

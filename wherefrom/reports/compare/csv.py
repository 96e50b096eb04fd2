"""CSV: one row for each pair of files of each pair of submissions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.cells import guarded, row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.reports.look import Look
    from wherefrom.results import Comparison, Region

COLUMNS = (
    "rank",
    "id",
    "score",
    "similarity",
    "left",
    "right",
    "left_containment",
    "right_containment",
    "resemblance",
    "longest_run",
    "left_matched_lines",
    "right_matched_lines",
    "cluster",
    "review",
    "note",
    "left_file",
    "right_file",
    "left_file_containment",
    "right_file_containment",
    "matched_tokens",
    "left_lines",
    "right_lines",
)

HEADER = row(COLUMNS)


def write(comparison: Comparison, _look: Look) -> Iterator[str]:
    """The header and the rows; `rank` counts pairs of submissions from 1, as `cluster` does clusters; lines are ranges
    such as `L3-L9 L12-L12`.
    """
    yield HEADER
    for rank, pair in enumerate(comparison.pairs, 1):
        left, right = comparison.submissions[pair.left], comparison.submissions[pair.right]
        for match in pair.files:
            yield row(
                (
                    rank,
                    pair.id,
                    pair.score,
                    pair.similarity,
                    guarded(left.name),
                    guarded(right.name),
                    pair.left_containment,
                    pair.right_containment,
                    pair.resemblance,
                    pair.longest_run,
                    pair.left_matched_lines,
                    pair.right_matched_lines,
                    "" if left.cluster is None or left.cluster != right.cluster else left.cluster + 1,
                    "" if pair.review is None else pair.review.state,
                    "" if pair.review is None else guarded(pair.review.note),
                    guarded(comparison.files[match.left].path),
                    guarded(comparison.files[match.right].path),
                    match.left_containment,
                    match.right_containment,
                    match.matched_tokens,
                    _lines(region.left for region in match.regions),
                    _lines(region.right for region in match.regions),
                )
            )


def _lines(regions: Iterable[Region]) -> str:
    return " ".join(f"L{region.start_line}-L{region.end_line}" for region in regions)

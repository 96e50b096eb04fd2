"""Reports of a comparison of submissions."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports.compare import text
from wherefrom.reports.hit_fields import line_ranges
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer, cell, formats, row
from wherefrom.results import Comparison

HEADER = (
    "rank,id,score,similarity,left,right,left_containment,right_containment,resemblance,longest_run,"
    "left_matched_lines,right_matched_lines,cluster,review,note,left_file,right_file,left_file_containment,"
    "right_file_containment,matched_tokens,left_lines,right_lines,left_boilerplate_tokens,right_boilerplate_tokens,is_translated\n"
)
"""The first line of CSV. There is one row for each pair of files of each pair of submissions."""


def _write_csv(comparison: Comparison, _look: Look) -> Iterator[str]:
    """The header and the rows. `rank` and `cluster` count from 1, and lines are ranges such as `L3-L9 L12-L12`."""
    yield HEADER
    for rank, pair in enumerate(comparison.pairs, 1):
        left, right = comparison.submissions[pair.left], comparison.submissions[pair.right]
        of_pair = (
            *(rank, pair.id, pair.score, pair.similarity, left.name, right.name),
            *(pair.left_containment, pair.right_containment, pair.resemblance, pair.longest_run),
            *(pair.left_matched_lines, pair.right_matched_lines),
            None if left.cluster is None or left.cluster != right.cluster else left.cluster + 1,
            pair.review and pair.review.state,
            pair.review and pair.review.note,
        )
        for match in pair.files:
            of_files = (
                *(comparison.files[side].path for side in (match.left, match.right)),
                *(match.left_containment, match.right_containment, match.matched_tokens),
                line_ranges(region.left for region in match.regions),
                line_ranges(region.right for region in match.regions),
                *(pair.left_boilerplate_tokens, pair.right_boilerplate_tokens, match.is_translated),
            )
            yield row(map(cell, (*of_pair, *of_files)))


RENDERERS = {**formats(text.write), "csv": Renderer(_write_csv)}

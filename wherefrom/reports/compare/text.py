"""What submissions share, for a person: a table of the pairs, clusters, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.printable import one_line, visible
from wherefrom.reports import layout
from wherefrom.reports.compare.words import CUT_OFF, summary
from wherefrom.reports.layout import as_lines, clip_left, count, duration, percent, table
from wherefrom.reports.skipped import skipped_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wherefrom.reports.look import Look
    from wherefrom.results import Cluster, CompareProgress, Comparison, SubmissionPair

PAIRS = 50
"""Pairs that are listed."""

CLUSTERS = 10
"""Clusters that are listed."""

MEMBERS = 6
"""Submissions of a cluster that are named."""

_HEADER = ("", "similar", "of left", "of right", "run", "lines", "left", "right")
_FIGURES = range(6)
_OTHERS = 48
"""Columns of a row that its two names do not take."""


def write(comparison: Comparison, look: Look) -> Iterator[str]:
    """The answer; each block ends with a newline."""
    if comparison.pairs:
        yield as_lines(_pairs(comparison, look))
    if comparison.clusters:
        yield as_lines(["", *_clusters(comparison, look)])
    yield as_lines(_end(comparison, look))


def _pairs(comparison: Comparison, look: Look) -> Iterator[str]:
    shown = comparison.pairs[:PAIRS]
    room = max(12, (look.width - _OTHERS) // 2)
    rows = [_row(rank, pair, comparison, room) for rank, pair in enumerate(shown, 1)]
    header, *lines = table(_HEADER, rows, right=_FIGURES)
    yield look.bold(header)
    yield from lines
    if len(comparison.pairs) > PAIRS:
        yield look.dim(f"... {count(len(comparison.pairs) - PAIRS, 'more pair')} (--format csv lists all)")


def _row(rank: int, pair: SubmissionPair, comparison: Comparison, room: int) -> Sequence[str]:
    return (
        str(rank),
        percent(pair.similarity),
        percent(pair.left_containment),
        percent(pair.right_containment),
        f"{pair.longest_run:,}",
        f"{max(pair.left_matched_lines, pair.right_matched_lines):,}",
        clip_left(visible(comparison.name(pair.left)), room),
        clip_left(visible(comparison.name(pair.right)), room),
    )


def _clusters(comparison: Comparison, look: Look) -> Iterator[str]:
    least = percent(comparison.parameters.cluster_similarity)
    yield look.bold(f"{count(len(comparison.clusters), 'cluster')} (linked by a similarity of {least} and more)")
    for number, cluster in enumerate(comparison.clusters[:CLUSTERS], 1):
        yield f"{number:>4}  {count(len(cluster.submissions), 'submission')}: {_members(cluster, comparison)}"
    if len(comparison.clusters) > CLUSTERS:
        yield look.dim(f"  ... {count(len(comparison.clusters) - CLUSTERS, 'more cluster')}")


def _members(cluster: Cluster, comparison: Comparison) -> str:
    named = ", ".join(visible(comparison.name(submission)) for submission in cluster.submissions[:MEMBERS])
    more = len(cluster.submissions) - MEMBERS
    return f"{named}, {more:,} more" if more > 0 else named


def _end(comparison: Comparison, look: Look) -> Iterator[str]:
    if comparison.pairs:
        yield ""
    for reason, number in comparison.cut_off.items():
        yield look.dim(f"{number:,} {CUT_OFF[reason]}")
    yield from skipped_table(comparison.skipped)
    for failed in comparison.failed:
        yield f"not compared: {visible(failed.key)}: {one_line(failed.error or '')}"
    yield f"{summary(comparison)}, {duration(comparison.seconds)}"


def live_line(progress: CompareProgress, width: int = 100) -> str:
    """How far the comparison is, on one line of at most `width` columns, without a newline."""
    of = f"/{progress.total:,}" if progress.total else ""
    noun = {"reading": "files read", "counting": "postings counted", "comparing": "pairs compared"}
    facts = [f"{progress.done:,}{of} {noun.get(progress.stage, 'pairs compared')}"]
    return layout.live_line(facts, [duration(progress.seconds)], "", width)

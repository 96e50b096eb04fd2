"""Writes imports of posts and searches for their code in words: a live line during the run, a summary at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wherefrom.posts.search.answers import BlockSkip, PostsProgress, PostsReport
from wherefrom.reports.layout import as_lines, clip, count, duration, percent, size, table
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.posts.importing import ImportProgress, ImportReport

SKIPPED: Mapping[BlockSkip, str] = {
    BlockSkip.TOO_SHORT: "too short",
    BlockSkip.BOILERPLATE: "boilerplate",
    BlockSkip.UNREADABLE: "unreadable",
    BlockSkip.WORKER_DIED: "crashed or stalled the analysis",
}
"""The reasons in words why blocks are skipped."""


def import_line(progress: ImportProgress, width: int = 100) -> str:
    """The progress of an import on one line of at most `width` columns, without a newline."""
    parts = [size(progress.position), count(progress.posts, "post")]
    if progress.total:
        parts[0] = f"{size(progress.position)} of {size(progress.total)}"
        parts.append(percent(min(progress.position / progress.total, 1.0)))
    return clip(" · ".join(parts), width)


def import_summary(report: ImportReport) -> str:
    """The summary of an import."""
    if report.is_repeated:
        return f"{visible(report.site)}: this dump was imported already; nothing to do\n"
    rows = [
        ("posts with code, new or changed", report.written),
        ("posts with code, known already", report.known),
        ("blocks of code", report.blocks),
        ("posts without code", report.without_code),
        ("posts with other tags", report.other_tags),
        *((f"rows skipped: {reason.replace('_', ' ')}", number) for reason, number in sorted(report.skipped.items())),
    ]
    shown = table((visible(report.site), "number"), [(name, f"{number:,}") for name, number in rows if number], (1,))
    went_on = f", gone on with at byte {report.start:,}" if report.start else ""
    return as_lines([*shown, f"{duration(report.seconds)}{went_on}"])


def search_line(progress: PostsProgress, width: int = 100) -> str:
    """The progress of a search on one line of at most `width` columns, without a newline."""
    report = progress.report
    parts = [
        f"{report.blocks:,}/{count(progress.total, 'block')}",
        f"{report.found:,} found",
        count(report.rows, "row"),
    ]
    return clip(" · ".join(parts), width)


def search_summary(report: PostsReport) -> str:
    """The summary of a search, on one line."""
    skipped = [f"{report.skipped[reason]:,} {words}" for reason, words in SKIPPED.items() if report.skipped.get(reason)]
    parts = [f"{count(report.blocks, 'block')}: {report.found:,} found ({count(report.rows, 'row')})"]
    return ", ".join([*parts, *([f"skipped: {', '.join(skipped)}"] if skipped else [])])

"""Writes a copying run in words: a live line during the run, a summary at its end."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports import layout
from wherefrom.reports.layout import as_lines, count, duration, time_left
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import formats
from wherefrom.results import CopyProgress, CopyReport
from wherefrom.support.printable import visible


def live_line(progress: CopyProgress, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.stage} {progress.done:,}/{progress.total:,}"]
    facts += time_left(progress.done, progress.total, progress.seconds)
    others = [f"{count(progress.sent, 'content')} sent"] if progress.sent else []
    return layout.live_line(facts, others, visible(progress.repository), width)


def write(report: CopyReport, _look: Look) -> Iterator[str]:
    """The summary: the counts, the number of contents sent, and the digest."""
    counts = (
        count(report.repositories, "repository", "repositories"),
        count(report.files, "file"),
        count(report.blobs, "content"),
        count(report.sets, "boilerplate set"),
    )
    yield f"{', '.join(counts)}: {count(report.sent, 'content')} sent, {report.blobs - report.sent:,} there already\n"
    notes = (
        (report.left_out, "older state", "of a repository left out"),
        (report.kept, "content", "kept there as read before"),
        (report.retired, "file", "of another state gone"),
        (report.swept, "content", "without a file removed"),
    )
    yield as_lines(f"{count(number, noun)} {words}" for number, noun, words in notes if number)
    yield f"read back, all is the same: {report.digest}\n{duration(report.seconds)}\n"


RENDERERS = formats(write)

"""A copying run in words: one live line while it goes on, a summary at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from wherefrom.reports import data, layout
from wherefrom.reports.layout import as_lines, count, duration, time_left
from wherefrom.reports.renderer import Renderer
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look
    from wherefrom.results import CopyProgress, CopyReport


def live_line(progress: CopyProgress, width: int = 100) -> str:
    """How far the run is, on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.stage} {progress.done:,}/{progress.total:,}"]
    facts += time_left(progress.done, progress.total, progress.seconds)
    others = [f"{count(progress.sent, 'content')} sent"] if progress.sent else []
    return layout.live_line(facts, others, visible(progress.repository), width)


def write(report: CopyReport, _look: Look) -> Iterator[str]:
    """The run at its end: what both indexes hold now, what of it was sent, and the digest of it."""
    counts = (
        count(report.repositories, "repository", "repositories"),
        count(report.files, "file"),
        count(report.blobs, "content"),
        count(report.sets, "boilerplate set"),
    )
    lines = [f"{', '.join(counts)}: {count(report.sent, 'content')} sent, {report.blobs - report.sent:,} there already"]
    if report.kept:
        lines.append(f"{count(report.kept, 'content')} kept there as read before")
    if report.retired:
        lines.append(f"{count(report.retired, 'file')} of another state gone")
    if report.swept:
        lines.append(f"{count(report.swept, 'content')} without a file removed")
    lines.append(f"read back, both are the same: {report.digest}")
    lines.append(duration(report.seconds))
    yield as_lines(lines)


RENDERERS: Mapping[str, Renderer[CopyReport]] = {"text": Renderer(write), **data.formats()}
"""The formats; the first one is the default."""

"""Writes a publication of an index in words: a live line during the run, a summary at its end."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports import layout
from wherefrom.reports.layout import count, duration, time_left
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import formats
from wherefrom.results import PublishProgress, PublishReport
from wherefrom.support.printable import visible


def live_line(progress: PublishProgress, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    facts = [f"publishing {progress.done:,}/{progress.total:,}"]
    return layout.live_line([*facts, *time_left(progress.done, progress.total, progress.seconds)], [], "", width)


def write(report: PublishReport, _look: Look) -> Iterator[str]:
    """The summary: where the files are, how many, and the SHA-256 of the manifest."""
    there = report.files - report.written
    kept = f", {there:,} of them there already" if there > 0 else ""
    yield f"{visible(report.folder)}: {count(report.blobs, 'content')} in {count(report.files, 'file')}{kept}\n"
    yield f"{report.size / 1e6:,.1f} MB, {duration(report.seconds)}\n"
    yield f"sha256={report.sha256}\n"


RENDERERS = formats(write)

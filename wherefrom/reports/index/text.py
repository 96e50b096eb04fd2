"""An indexing run in words: one live line while it goes on, a summary at its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wherefrom.reports import layout
from wherefrom.reports.layout import as_lines, count, duration, size
from wherefrom.reports.skipped import skipped_table, total_skipped, without_grammar
from wherefrom.results import IndexProgress, IndexReport, LeftOut, RepositoryReport
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

FAILED = 20
"""Failed repositories listed in a summary."""

LEFT_OUT = 20
"""What was left out, as far as a summary lists it."""


def seconds_left(progress: IndexProgress) -> float | None:
    """How long the run is likely to go on at the pace so far; None if it is not known yet."""
    if progress.share <= 0 or progress.seconds < 1:
        return None
    return progress.seconds * (1 - progress.share) / progress.share


class Running:
    """How far a run is, on one line. The time left never climbs: where the pace drops, it waits."""

    def __init__(self) -> None:
        self._least: float | None = None

    def line(self, progress: IndexProgress, width: int = 100) -> str:
        """The line of at most `width` columns, without a newline."""
        left = seconds_left(progress)
        if left is not None:
            self._least = left if self._least is None else min(left, self._least)
        return live_line(progress, self._least, width)


def live_line(progress: IndexProgress, left: float | None, width: int = 100) -> str:
    """How far the run is, on one line of at most `width` columns, without a newline.

    Args:
        progress: of the run.
        left: the seconds that it is likely to go on, None if that is not known.
        width: columns at most.
    """
    seconds = max(progress.seconds, 1e-9)
    facts = [
        f"{progress.repositories:,}/{count(progress.repositories_total, 'repository', 'repositories')}",
        *([] if left is None else [f"{duration(left)} left"]),
    ]
    others = [
        f"{progress.files:,}/{count(progress.files_total, 'file')}",
        f"{size(progress.parsed_bytes / seconds)}/s",
        f"{progress.files / seconds:,.0f} files/s",
        f"{progress.known:,} known",
        f"{sum(progress.skipped.values()):,} skipped",
    ]
    return layout.live_line(facts, others, visible(progress.repository), width)


def write(report: IndexReport, _look: Look) -> Iterator[str]:
    """The run at its end: counts by outcome, what was skipped and why, what failed."""
    by_status: dict[str, list[RepositoryReport]] = {}
    for repository in report.repositories:
        by_status.setdefault(repository.status, []).append(repository)
    outcomes = ", ".join(f"{len(of):,} {one_line(status)}" for status, of in sorted(by_status.items()))
    total = count(len(report.repositories), "repository", "repositories")
    parts = [f"{total}: {outcomes}" if outcomes else total]
    files = sum(repository.files for repository in report.repositories)
    known = sum(repository.known for repository in report.repositories)
    parsed = sum(repository.parsed for repository in report.repositories)
    parts.append(f"{count(files, 'file')}: {count(parsed, 'content')} parsed, {known:,} known already")
    if report.parsed > parsed:
        parts.append(f"{count(report.parsed - parsed, 'content')} parsed of repositories that are not finished")
    if report.renewed:
        parts.append(f"{count(report.renewed, 'content')} of an older analysis renewed")
    kept = sum(repository.kept for repository in report.repositories)
    if kept:
        parts.append(f"{count(kept, 'content')} of an older analysis kept: not readable or too slow to analyze again")
    retired = sum(repository.retired for repository in report.repositories)
    if retired:
        parts.append(f"{count(retired, 'file')} gone since the last run")
    if report.swept:
        parts.append(f"{count(report.swept, 'content')} without a file removed")
    parts += skipped_table(total_skipped(repository.skipped for repository in report.repositories))
    parts += without_grammar(report.without_grammar)
    parts += (_left_out(it) for it in report.left_out[:LEFT_OUT])
    if len(report.left_out) > LEFT_OUT:
        parts.append(f"... and {len(report.left_out) - LEFT_OUT:,} more left out (all of them with --format json)")
    failed = by_status.get("failed", [])
    parts += (f"failed: {failure(it)}" for it in failed[:FAILED])
    if len(failed) > FAILED:
        parts.append(f"... and {len(failed) - FAILED:,} more failed (all of them with --format json)")
    clones = [f"{size(report.clone_bytes)} on disk"] if report.clone_bytes else []
    if report.discarded_clones:
        clones.append(f"{report.discarded_clones:,} discarded ({size(report.discarded_bytes)})")
    if clones:
        parts.append(f"clones of URLs: {', '.join(clones)}")
    rate = size(report.parsed_bytes / report.seconds) if report.seconds > 0 else ""
    amount = f", {size(report.parsed_bytes)} parsed, {rate}/s" if report.parsed_bytes and rate else ""
    parts.append(f"{duration(report.seconds)}{amount}")
    yield as_lines(parts)


def failure(repository: RepositoryReport) -> str:
    """What failed, and why, on one line."""
    reason = one_line(repository.error or "no reason given")
    name = visible(repository.key)
    is_said = "/" in name and name in reason  # a short name may be part of any word
    return reason if is_said else f"{name}: {reason}"


def _left_out(left: LeftOut) -> str:
    text = f"left out: {visible(left.location)}: {one_line(left.reason)}"
    if left.instead is not None:
        text += f"; {visible(left.repository or '')} is read from {visible(left.instead)}"
    return text

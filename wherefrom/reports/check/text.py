"""A check for a person: findings by file, then what was not looked at."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from wherefrom.printable import one_line, visible
from wherefrom.reports import layout
from wherefrom.reports.check.words import EVIDENCE, TITLES, license_names, place_lines, summary
from wherefrom.reports.layout import as_lines, clip, count, duration, lines
from wherefrom.reports.skipped import skipped_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wherefrom.check.findings import CheckProgress, CheckReport, Finding, MatchedLocation
    from wherefrom.reports.look import Look

PLACES = 3
"""IndexReferences shown of one finding; the other formats hold up to ten."""

LISTED = 20
"""Stale entries and marks without a reason that are listed."""


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The check, block by block; each ends with a newline."""
    yield f"{look.bold(visible(report.project))}: {one_line(report.state)}\n"
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        yield as_lines(_file(path, list(findings), report, look))
    yield as_lines(_end(report, look))


def _file(path: str, findings: list[Finding], report: CheckReport, look: Look) -> Iterator[str]:
    yield ""
    yield look.bold(visible(path))
    for finding in findings:
        yield from _finding(finding, report, look)


def _finding(finding: Finding, report: CheckReport, look: Look) -> Iterator[str]:
    where = lines(finding.region.start_line, finding.region.end_line)
    head = f"  {where}: {finding.rule}: {count(finding.tokens, 'token')}, {TITLES[finding.rule]}"
    if finding.accepted is not None:
        reason = f": {one_line(finding.accepted.reason)}" if finding.accepted.reason else ""
        yield look.dim(f"{head} (accepted by {_by(finding)}{reason})")
        return
    yield head if finding.rule in report.fail_on else look.dim(f"{head} (a note)")
    for place in finding.places[:PLACES]:
        yield from _place(place, look)
    hidden = len(finding.places) - PLACES
    rest = [f"{count(hidden, 'other place')} (--format json)"] if hidden > 0 else []
    rest += [f"{finding.more:,} more"] if finding.more else []
    if rest:
        yield look.dim(f"      ... {', and '.join(rest)}")


def _by(finding: Finding) -> str:
    return "the baseline" if finding.accepted is not None and finding.accepted.by == "baseline" else "a comment"


def _place(place: MatchedLocation, look: Look) -> Iterator[str]:
    at = place.occurrence
    first, last = place_lines(place)
    others = f" and {count(place.count - 1, 'more location')}" if place.count > 1 else ""
    licenses = f"  [{one_line(license_names(place.licenses))}]" if place.licenses else ""
    yield f"      {visible(at.repository)}  {visible(at.path)}:{lines(first, last)}{others}{licenses}"
    for evidence in place.evidence[:1]:
        quoted = clip(one_line(evidence.text), max(look.width - 20, 20))
        yield look.dim(f"        named in {visible(evidence.path)}:{evidence.line}: {quoted}")


def _end(report: CheckReport, look: Look) -> Iterator[str]:
    if report.stale:
        yield ""
        entries = count(len(report.stale), "entry", "entries")
        yield f"{entries} of the baseline fit nothing any longer (--update-baseline):"
        yield from (f"  {visible(entry.path)}: {entry.rule}" for entry in report.stale[:LISTED])
        yield from _and_more(len(report.stale))
    if report.unexplained:
        yield ""
        yield "`wherefrom: ok` without a reason accepts nothing; say why behind it:"
        yield from (f"  {visible(path)}:{line}" for path, line in report.unexplained[:LISTED])
        yield from _and_more(len(report.unexplained))
    yield ""
    yield from skipped_table(report.skipped)
    if report.own:
        shown = ", ".join(map(visible, report.own[:LISTED]))
        yield look.dim(f"left out as your own: {shown}{' ...' if len(report.own) > LISTED else ''}")
    yield f"{summary(report)}, {duration(report.seconds)}"
    if report.findings:
        yield look.dim(EVIDENCE)


def _and_more(number: int) -> Iterator[str]:
    if number > LISTED:
        yield f"  ... and {number - LISTED:,} more"


def live_line(progress: CheckProgress, width: int = 100) -> str:
    """How far the check is, on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.files:,}/{count(progress.files_total, 'file')}", count(progress.findings, "finding")]
    if progress.files and progress.seconds >= 1:
        left = progress.seconds * max(progress.files_total - progress.files, 0) / progress.files
        facts.append(f"{duration(left)} left")
    others = [f"{count(progress.units, 'piece')} looked up"]
    return layout.live_line(facts, others, visible(progress.path), width)

"""A check for a person: a summary of many findings, the findings, then what was not looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from wherefrom.projects.check.findings import CheckProgress, CheckReport, Finding, FolderCopy, MatchedLocation
from wherefrom.reports import layout
from wherefrom.reports.check.counts import HEADER, counted
from wherefrom.reports.check.entries import Entry, entries, importance
from wherefrom.reports.check.words import (
    EVIDENCE,
    acceptance,
    credit,
    folder_name,
    folder_words,
    license_names,
    likeness,
    named_by,
    not_judged,
    place_lines,
    rule_counts,
    summary,
)
from wherefrom.reports.layout import as_lines, clip, count, duration, lines, listed, table, time_left
from wherefrom.reports.skipped import skipped_rows
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

PLACES = 3
"""Places shown of one finding; the other formats hold up to ten."""

FILES = 5
"""Files shown of a copied folder, unless all findings are asked for."""

SUMMARIZED = 12
"""Entries from which on a summary comes before them."""

ROWS, NAME = 4, 40
"""Rows of each table of a summary, and columns of their names."""

HEADING = 2
"""Lines before the first entry of a file."""

MOST_LINES, SHORTENED = 60, 24
"""Lines of entries that are shown whole; where there are more, the longest entries are shown in so many."""

LISTED = 20
"""Stale entries and marks without a reason that are listed."""


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The check, block by block; each ends with a newline."""
    yield f"{look.bold(visible(report.project))}: {one_line(report.state)}\n"
    found = entries(report, accepted=look.accepted)
    if look.only_summary or len(found) >= SUMMARIZED:
        yield as_lines(_summary(report, look))
    if not look.only_summary:
        yield from _listed(found, report, look)
    yield as_lines(_end(report, look))


def _summary(report: CheckReport, look: Look) -> Iterator[str]:
    for title, rows in counted(report).items():
        if rows:
            yield ""
            shown = [(clip(one_line(name), NAME), *row.cells()) for name, row in [*rows.items()][:ROWS]]
            yield from table((title, *HEADER), shown, (1, 2, 3, 4))
            if len(rows) > ROWS:
                yield look.dim(f"... and {len(rows) - ROWS:,} more (--format html)")


def _listed(found: list[Entry], report: CheckReport, look: Look) -> Iterator[str]:
    """All entries, where they are few or all are asked for; else the longest, as many as fit a screen."""
    blocks = [(entry, [*_entry(entry, report, look)]) for entry in found]
    shown = blocks
    if not look.all_findings and sum(HEADING + len(block) for _, block in blocks) > MOST_LINES:
        shown, used = [], 0
        for entry, block in sorted(blocks, key=lambda pair: importance(pair[0], report)):
            used += HEADING + len(block)
            if used > SHORTENED:
                break
            shown.append((entry, block))
    before = None
    for entry, block in shown:
        path = None if entry.folder is not None else entry.first.path
        heading = [] if path is None or path == before else ["", look.bold(visible(path))]
        yield as_lines([*heading, *block])
        before = path
    if len(shown) < len(blocks):
        rest = count(len(blocks) - len(shown), "more entry", "more entries")
        yield f"\n... and {rest}: --all lists them, and --format html makes a page of them\n"


def _entry(entry: Entry, report: CheckReport, look: Look) -> Iterator[str]:
    if entry.folder is not None:
        yield from _folder(entry, entry.folder, look)
    else:
        yield from _finding(entry, report, look)


def _folder(entry: Entry, folder: FolderCopy, look: Look) -> Iterator[str]:
    yield ""
    yield f"{look.bold(visible(folder_name(folder)))}  {visible(folder_words(entry, folder))}"
    yield f"  {rule_counts(entry)}"
    files = entry.files
    most = len(files) if look.all_findings else FILES
    for finding in files[:most]:
        if finding.copy is not None:
            yield f"  {visible(finding.path)}: {likeness(finding.copy)}"
    if len(files) > most:
        yield look.dim(f"  ... and {count(len(files) - most, 'more file')}")


def _finding(entry: Entry, report: CheckReport, look: Look) -> Iterator[str]:
    finding = entry.first
    where = lines(finding.region.start_line, finding.region.end_line)
    what = f"{count(finding.tokens, 'token')}, also elsewhere" if finding.copy is None else "the whole file"
    if finding.copy is not None:
        what = f"{what}, {likeness(finding.copy)}, {count(finding.tokens, 'token')}"
    for ruled in entry.findings:
        head = f"  {where}: {ruled.rule}: {what}, {credit(ruled)}"
        if ruled.accepted is not None:
            yield look.dim(f"{head} ({acceptance(ruled.accepted)})")
        else:
            yield head if report.is_failing(ruled) else look.dim(f"{head} (a note)")
    if all(ruled.accepted is not None for ruled in entry.findings):
        return
    for place in finding.places[:PLACES]:
        yield from _place(place, finding, look)
    hidden = len(finding.places) - PLACES
    rest = [f"{count(hidden, 'other place')} (--format json)"] if hidden > 0 else []
    rest += [f"{finding.more:,} more"] if finding.more else []
    if rest:
        yield look.dim(f"      ... {', and '.join(rest)}")


def _place(place: MatchedLocation, finding: Finding, look: Look) -> Iterator[str]:
    at = place.occurrence
    first, last = place_lines(place, finding)
    others = f" and {count(place.count - 1, 'more location')}" if place.count > 1 else ""
    licenses = f"  [{one_line(license_names(place.licenses))}]" if place.licenses else ""
    yield f"      {visible(at.repository)}  {visible(at.path)}:{lines(first, last)}{others}{licenses}"
    for how, evidence in islice(named_by(place), 1):
        quoted = clip(one_line(evidence.text), max(look.width - 20, 20))
        yield look.dim(f"        {how} in {visible(evidence.path)}:{evidence.line}: {quoted}")


def _end(report: CheckReport, look: Look) -> Iterator[str]:
    if report.stale:
        yield ""
        entries = count(len(report.stale), "entry", "entries")
        yield f"{entries} of the baseline fit nothing any longer (--prune-baseline removes them):"
        yield from (f"  {visible(entry.path)}: {entry.rule}" for entry in report.stale[:LISTED])
        yield from _and_more(len(report.stale))
    if report.unexplained:
        yield ""
        yield "`wherefrom: ok` without a reason accepts nothing; say why behind it:"
        yield from (f"  {visible(path)}:{line}" for path, line in report.unexplained[:LISTED])
        yield from _and_more(len(report.unexplained))
    yield ""
    if report.skipped:
        reasons = ", ".join(f"{number} {reason}" for reason, number in skipped_rows(report.skipped))
        yield look.dim(f"not looked at: {reasons}")
    if report.own:
        yield look.dim(f"left out as your own: {_some(report.own)}")
    if report.boilerplate:
        yield look.dim(f"left out as boilerplate, mostly: {_some(report.boilerplate)}")
    yield from not_judged(report)
    if report.resumed:
        files = count(report.resumed, "file was", "files were")
        yield look.dim(f"{files} looked up by an earlier run that was stopped")
    yield f"{summary(report)}, {duration(report.seconds)}"
    if report.findings:
        yield look.dim(EVIDENCE)


def _some(names: Sequence[str]) -> str:
    return listed([*map(visible, names)], LISTED, " ...")


def _and_more(number: int) -> Iterator[str]:
    if number > LISTED:
        yield f"  ... and {number - LISTED:,} more"


def live_line(progress: CheckProgress, width: int = 100) -> str:
    """How far the check is, on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.files:,}/{count(progress.files_total, 'file')}", count(progress.findings, "finding")]
    facts += time_left(progress.files - progress.resumed, progress.files_total - progress.resumed, progress.seconds)
    others = [f"{count(progress.units, 'piece')} looked up"]
    return layout.live_line(facts, others, visible(progress.path), width)

"""Writes a check for a coding agent: what fails, and what to do about it, in at most `MOST_LINES` lines."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check import words
from wherefrom.reports.hit_fields import TRANSLATED
from wherefrom.reports.layout import as_lines, clip, count
from wherefrom.reports.look import Look
from wherefrom.support.printable import visible

MOST_LINES = 40

MOST_ENTRIES = MOST_LINES - 8
"""Each entry takes a line; the others are for the head, the rest and what to do."""

WIDTH = 400
"""A longer line is cut."""

_ACTIONS = {
    Rule.COPIED_UNATTRIBUTED: [
        "copied-unattributed: write your own code, or use the project as a dependency.",
        "If the code stays, put a comment above it with the URL and the license of the place.",
        "If a person decided to keep it as it is, a comment `wherefrom: ok REASON` on its first line accepts it.",
    ],
    Rule.COPIED_ATTRIBUTED: ["copied-attributed: the place is credited, but this project wants no copies."],
    Rule.LICENSE_CONFLICT: ["license-conflict: remove the code, since its license does not fit this project's."],
}
"""What to do about the findings of each rule."""


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The findings that fail, the most important ones first."""
    yield as_lines(clip(line, WIDTH) for line in _lines(report))


def _lines(report: CheckReport) -> Iterator[str]:
    yield f"{words.summary(report)}."
    failing = [entry for entry in words.entries(report, accepted=False) if any(map(report.is_failing, entry.findings))]
    failing.sort(key=lambda entry: words.importance(entry, report))
    for entry in failing[:MOST_ENTRIES]:
        if entry.folder is not None:
            yield f"{visible(words.folder_name(entry.folder))} {visible(words.folder_words(entry, entry.folder))}"
        else:
            yield _piece(entry, report)
    if len(failing) > MOST_ENTRIES:
        yield f"... and {len(failing) - MOST_ENTRIES:,} more; run `wherefrom check --all`"
    for rule, actions in _ACTIONS.items():
        if any(finding.rule is rule for finding in report.failing):
            yield from actions


def _piece(entry: words.ReportEntry, report: CheckReport) -> str:
    finding = entry.first
    rules = ", ".join(dict.fromkeys(str(each.rule) for each in entry.findings if report.is_failing(each)))
    place = finding.places[0]
    at = place.occurrence
    others = place.count + len(finding.places) + finding.more - 2
    more = f", and {count(others, 'more place')}" if others else ""
    url = f" {visible(place.url)}" if place.url else ""
    there = f"{visible(at.repository)} {visible(at.path)}:{words.place_lines(place, finding)}"
    licenses = words.license_names(place.licenses)
    if place.translated_from is not None:
        licenses += f", {TRANSLATED.format(place.translated_from)}"
    return f"{visible(finding.path)}:{finding.region.lines}: {rules}: {there}, {licenses}{more}{url}"

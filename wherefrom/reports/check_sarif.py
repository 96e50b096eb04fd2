"""A check as a SARIF log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.positions import encoding
from wherefrom.reports.check_words import place_lines, sentence
from wherefrom.reports.sarif import Finding, Related, Sarif, Span, to_sarif
from wherefrom.reports.sarif_rules import Level
from wherefrom.reports.spans import span
from wherefrom.reports.text import lines

if TYPE_CHECKING:
    from wherefrom.check import base as check

AUTOMATION = "wherefrom/check"
"""What tells this run's kind from others on the same commit."""


def check_to_sarif(report: check.CheckReport, *, version: str, automation: str = AUTOMATION) -> Sarif:
    """The findings that are not accepted: a warning where it fails, else a note.

    Args:
        report: of a check.
        version: of wherefrom.
        automation: `automationDetails.id`.
    """
    findings = (_finding(each, report) for each in report.findings if each.accepted is None)
    return to_sarif(findings, automation=automation, version=version)


def _finding(finding: check.Finding, report: check.CheckReport) -> Finding:
    content = report.contents[finding.path]
    code = content[finding.region.start_byte : finding.region.end_byte]
    return Finding(
        rule=finding.rule,
        level=Level.WARNING if finding.rule in report.fail_on else Level.NOTE,
        message=sentence(finding),
        path=finding.path,
        span=span(content, finding.region),
        snippet=code.decode(encoding(content), "replace"),
        fingerprint=finding.fingerprint,
        related=tuple(_related(place) for place in finding.places),
    )


def _related(place: check.Place) -> Related:
    first, last = place_lines(place)
    at = place.occurrence
    name = f"{at.repository} {at.path}:{lines(first, last)}"
    # Of the lines there no columns are known without its source; a span of whole lines ends where the next one begins.
    return Related(place.url, name, Span(first, 1, last + 1, 1))

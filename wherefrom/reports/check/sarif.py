"""A check as a SARIF log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from wherefrom.analyzers.positions import encoding
from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding, MatchedLocation
from wherefrom.reports.check.words import not_judged, place_lines, sentence
from wherefrom.reports.layout import lines
from wherefrom.reports.sarif import Level, Related, RuleWords, RunKind, Sarif, SarifResult, Span, make_log, span

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

_EVIDENCE = (
    "A finding is evidence, not a verdict: that the same code appears in two places does not tell which was first, "
    "whether both have it from a third, or whether it is common enough that anybody would write it so."
)

RULES: Mapping[StrEnum, RuleWords] = MappingProxyType(
    {
        Rule.COPIED_UNATTRIBUTED: RuleWords(
            "CopiedUnattributed",
            Level.WARNING,
            "Code that also appears elsewhere, with no credit here",
            "This code is the same as code elsewhere, up to names and layout, and neither the file nor a notice or "
            "license file that speaks for its folder names that place.",
            "Look at both pieces. If one comes from the other, name the source in a comment beside the code (a link is "
            "enough for most licenses) and check that its license permits the use. If not, accept the finding in the "
            f"baseline, or beside the code with `wherefrom: ok` and a reason.\n\n{_EVIDENCE}",
        ),
        Rule.COPIED_ATTRIBUTED: RuleWords(
            "CopiedAttributed",
            Level.NOTE,
            "Code that also appears elsewhere, with credit here",
            "This code is the same as code elsewhere, up to names and layout, and that place is named beside it, in "
            "the file, or in a notice or license file that speaks for its folder.",
            "Nothing is missing as far as can be seen. Check that the license of the source permits the use and that "
            f"its other conditions are met, such as keeping a notice.\n\n{_EVIDENCE}",
        ),
        Rule.LICENSE_CONFLICT: RuleWords(
            "LicenseConflict",
            Level.WARNING,
            "Code that also appears elsewhere, under a license that may not go with this one",
            "This code is the same as code elsewhere, up to names and layout, and the license found there is not one "
            "that the policy of this check permits here.",
            "Look at both pieces and at both licenses. If the code comes from there, ask the author, replace it, or "
            "put it where its license permits. Licenses are read from tags, notices and well-known texts, and may be "
            f"missed or misread.\n\n{_EVIDENCE}",
        ),
    }
)
"""The words of each rule, in the order of a log."""

KIND = RunKind("wherefrom/check", RULES, ("attribution", "license"), "check fewer files at a time to see all.")
"""What tells the log of a check from others."""


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The log of a check."""
    yield to_sarif(report).text


def to_sarif(report: CheckReport) -> Sarif:
    """The findings that are not accepted: a warning where it fails, else a note."""
    results = (_of(finding, report) for finding in report.findings if finding.accepted is None)
    return make_log(results, KIND, notes=not_judged(report))


def _of(finding: Finding, report: CheckReport) -> SarifResult:
    content = report.contents[finding.path]
    code = content[finding.region.start_byte : finding.region.end_byte]
    return SarifResult(
        rule=finding.rule,
        level=Level.WARNING if report.is_failing(finding) else Level.NOTE,
        message=sentence(finding),
        path=finding.path,
        span=span(content, finding.region),
        snippet=code.decode(encoding(content), "replace"),
        fingerprint=finding.fingerprint,
        related=tuple(_place(place, finding) for place in finding.places),
    )


def _place(place: MatchedLocation, finding: Finding) -> Related:
    first, last = place_lines(place, finding)
    at = place.occurrence
    name = f"{at.repository} {at.path}:{lines(first, last)}"
    # Of the lines there no columns are known without its source; a span of whole lines ends where the next one begins.
    return Related(place.url, name, Span(first, 1, last + 1, 1))

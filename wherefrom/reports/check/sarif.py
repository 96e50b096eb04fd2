"""Writes a check as a SARIF log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding
from wherefrom.reports.check.words import not_judged, place_lines, sentence
from wherefrom.reports.look import Look
from wherefrom.reports.sarif import RuleWords, RunKind, SarifResult, make_log, related, snippet, span

_EVIDENCE = (
    "A finding is evidence, not a verdict: that the same code appears in two places does not tell which was first, "
    "whether both have it from a third, or whether it is common enough that anybody would write it so."
)

RULES: Mapping[str, RuleWords] = {
    Rule.COPIED_UNATTRIBUTED: RuleWords(
        "CopiedUnattributed",
        "warning",
        "Code that also appears elsewhere, with no credit here",
        "This code is the same as code elsewhere, up to names and layout, and neither the file nor a notice or "
        "license file that speaks for its folder names that place.",
        "Look at both pieces. If one comes from the other, name the source in a comment beside the code (a link is "
        "enough for most licenses) and check that its license permits the use. If not, accept the finding in the "
        f"baseline, or beside the code with `wherefrom: ok` and a reason.\n\n{_EVIDENCE}",
    ),
    Rule.COPIED_ATTRIBUTED: RuleWords(
        "CopiedAttributed",
        "note",
        "Code that also appears elsewhere, with credit here",
        "This code is the same as code elsewhere, up to names and layout, and that place is named beside it, in "
        "the file, or in a notice or license file that speaks for its folder.",
        "Nothing seems to be missing. Check that the license of the source permits the use and that "
        f"its other conditions are met, such as keeping a notice.\n\n{_EVIDENCE}",
    ),
    Rule.LICENSE_CONFLICT: RuleWords(
        "LicenseConflict",
        "warning",
        "Code that also appears elsewhere, under a license that may not go with this one",
        "This code is the same as code elsewhere, up to names and layout, and the license found there is not one "
        "that the policy of this check permits here.",
        "Look at both pieces and at both licenses. If the code comes from there, ask the author, replace it, or "
        "put it where its license permits. Licenses are read from tags, notices and well-known texts, and may be "
        f"missed or misread.\n\n{_EVIDENCE}",
    ),
}
"""The words for each rule, in the order that a log lists them."""

KIND = RunKind("wherefrom/check", RULES, ("attribution", "license"), "check fewer files at a time to see all.")
"""What all logs of checks have in common."""


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The log of a check. Failing findings are warnings, and others are notes. Accepted findings are left out."""
    results = (_of(finding, report) for finding in report.findings if finding.accepted is None)
    yield make_log(results, KIND, notes=not_judged(report))


def _of(finding: Finding, report: CheckReport) -> SarifResult:
    content = report.contents[finding.path]
    return SarifResult(
        rule=finding.rule,
        level="warning" if report.is_failing(finding) else "note",
        message=sentence(finding),
        path=finding.path,
        span=span(content, finding.region),
        snippet=snippet(content, finding.region),
        fingerprint=finding.fingerprint,
        related=tuple(related(place, place_lines(place, finding)) for place in finding.places),
    )

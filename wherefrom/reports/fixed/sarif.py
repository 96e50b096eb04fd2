"""Writes who still has fixed code as a SARIF log: one result for each function whose old form is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from wherefrom.reports.fixed.text import EVIDENCE, title
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.reports.sarif import RuleWords, RunKind, SarifResult, SarifSpan, make_log, related, snippet, span
from wherefrom.results import Certainty, FixedFunction, FixedReport, Form, Lines

OLD_FORM = "old-form"
"""The id of the only rule of this log: the old form of a fixed function is indexed."""

KIND = RunKind(
    "wherefrom/fixed",
    {
        OLD_FORM: RuleWords(
            "OldForm",
            "warning",
            "Fixed code whose old form is elsewhere",
            "This function was changed, and its old form is still in other repositories that are indexed.",
            "Look at each place. If the change fixed a defect, the place may have it: bring the fix there, or tell its "
            f"owner.\n\n{EVIDENCE}",
        )
    },
    ("fix", "vendored"),
    "look up a smaller change to see all.",
)
"""What all logs of searches for fixed code have in common."""


def write(report: FixedReport, _look: Look) -> Iterator[str]:
    """The log. A function is a warning if one of its old forms is sure, else a note."""
    results = (_of(function, report) for function in report.functions if function.of_form(Form.OLD))
    yield make_log(results, KIND)


def _of(function: FixedFunction, report: FixedReport) -> SarifResult:
    old = function.of_form(Form.OLD)
    here = function.new or function.old
    content = report.after.get(function.path) or report.before.get(function.old_path or "") or b""
    places = sum(len(location.occurrences) for location in old)
    sure = sum(len(location.occurrences) for location in old if location.certainty is Certainty.SURE)
    digest = blake2b(f"{function.path}\0{function.name}\0{report.commit}".encode(errors="surrogatepass"), digest_size=8)
    return SarifResult(
        rule=OLD_FORM,
        level="warning" if sure else "note",
        message=f"The old form of {title(function)} is still at {count(places, 'location')}, {sure:,} of them sure.",
        path=function.path,
        span=SarifSpan(1, 1, 1, 1) if here is None else span(content, here),
        snippet="" if here is None else snippet(content, here),
        fingerprint=digest.hexdigest(),
        related=tuple(related(place, Lines(*location.lines)) for location in old for place in location.locations),
    )

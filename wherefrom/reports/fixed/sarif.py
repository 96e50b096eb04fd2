"""Who still has fixed code as a SARIF log: one result for each function whose old form is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING

from wherefrom.analyzers.positions import encoding
from wherefrom.reports.fixed.words import EVIDENCE, title
from wherefrom.reports.layout import count, lines
from wherefrom.reports.sarif import Level, Related, RuleWords, RunKind, SarifResult, Span, make_log, span
from wherefrom.results import Certainty, FixedFunction, FixedReport, Form

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


class FixedRule(StrEnum):
    """What is said of a function that was fixed."""

    OLD_FORM = "old-form"


KIND = RunKind(
    "wherefrom/fixed",
    {
        FixedRule.OLD_FORM: RuleWords(
            "OldForm",
            Level.WARNING,
            "Fixed code whose old form is elsewhere",
            "This function was changed, and its old form is still in other repositories that are indexed.",
            "Look at each place. If the change fixed a defect, the place may have it: bring the fix there, or tell its "
            f"owner.\n\n{EVIDENCE}",
        )
    },
    ("fix", "vendored"),
    "look up a smaller change to see all.",
)
"""What tells the log of fixed code from others."""


def write(report: FixedReport, _look: Look) -> Iterator[str]:
    """The log: a warning where an old form is sure, else a note."""
    results = (_of(function, report) for function in report.functions if function.of_form(Form.OLD))
    yield make_log(results, KIND).text


def _of(function: FixedFunction, report: FixedReport) -> SarifResult:
    old = function.of_form(Form.OLD)
    is_sure = any(location.certainty is Certainty.SURE for location in old)
    here = function.new or function.old
    content = report.after.get(function.path) or report.before.get(function.old_path or "") or b""
    places = sum(len(location.occurrences) for location in old)
    sure = sum(len(location.occurrences) for location in old if location.certainty is Certainty.SURE)
    digest = blake2b(f"{function.path}\0{function.name}\0{report.commit}".encode(errors="surrogatepass"), digest_size=8)
    return SarifResult(
        rule=FixedRule.OLD_FORM,
        level=Level.WARNING if is_sure else Level.NOTE,
        message=f"The old form of {title(function)} is still at {count(places, 'location')}, {sure:,} of them sure.",
        path=function.path,
        span=Span(1, 1, 1, 1) if here is None else span(content, here),
        snippet="" if here is None else content[here.start_byte : here.end_byte].decode(encoding(content), "replace"),
        fingerprint=digest.hexdigest(),
        related=tuple(
            Related(
                place.url,
                f"{place.occurrence.repository} {place.occurrence.path}:{lines(*location.lines)}",
                Span(location.lines[0], 1, location.lines[1] + 1, 1),
            )
            for location in old
            for place in location.locations
        ),
    )

"""The words of an answer to who still has fixed code, the same in every report."""

from __future__ import annotations

from wherefrom.reports.layout import count
from wherefrom.results import FixedFunction, FixedLocation, FixedReport, Form

EVIDENCE = (
    "This compares code, not behavior: a location with the old form may be safe by other means, and one with the new "
    "form may lack another part of the fix."
)


def title(function: FixedFunction) -> str:
    """What a changed function is called."""
    if function.name:
        return function.name
    return "a function" if function.is_function else "code outside of functions"


def form_of(location: FixedLocation) -> str:
    """The form of a location, and how sure it is: `old form, sure`."""
    if location.certainty is None:
        return "unclear"
    return f"{location.form} form, {location.certainty}"


def summary(report: FixedReport) -> str:
    """The answer in one line."""
    if not report.functions:
        return "no function was changed"
    old, new, unclear = (report.count(form) for form in (Form.OLD, Form.NEW, Form.UNCLEAR))
    parts = [f"{count(old, 'location')} with an old form" if old else "no location with an old form"]
    parts.append(f"{new:,} with a new one")
    if unclear:
        parts.append(f"{unclear:,} unclear")
    return f"{', '.join(parts)}, of {count(len(report.functions), 'changed function')}"

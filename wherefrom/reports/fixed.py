"""Writes who still has fixed code for a person: each changed function, and the places with its old or new form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wherefrom.reports import layout
from wherefrom.reports.hit_fields import REVISION_DIGITS, since
from wherefrom.reports.layout import as_lines, clip, count, duration, listed
from wherefrom.reports.renderer import Look, Renderer, formats, on_use
from wherefrom.reports.sides import TextLines, plain
from wherefrom.reports.skipped import skipped_table
from wherefrom.results import Appearance, FixedFunction, FixedLocation, FixedProgress, FixedReport, Form, Lines, Region
from wherefrom.support.printable import one_line, visible

EVIDENCE = (
    "This compares code, not behavior: a location with the old form may be safe by other means, and one with the new "
    "form may lack another part of the fix."
)
"""The caution at the end of an answer."""

CHANGES = 4  # at most this many changes of a function are shown
LINES = 12  # at most this many lines of each side of a change are shown
SHOWN = 3  # for each function, the code of at most this many locations with the old form is shown

LISTED = {Form.OLD: 10, Form.NEW: 10, Form.UNCLEAR: 3}
"""For each function, at most this many locations of each form are listed."""

OCCURRENCES = 3  # at most this many further occurrences of a content are listed
OWN = 10  # at most this many names of functions, or of own repositories, are listed


def write(report: FixedReport, look: Look) -> Iterator[str]:
    """The answer, function by function. Each block ends with a newline. Contents are read just before their block."""
    yield f"{look.bold(visible(report.project))}: {one_line(report.change)}\n"
    for function in report.functions:
        if function.locations:
            yield as_lines(_function(function, report, look))
    yield as_lines(_end(report, look))


def _function(function: FixedFunction, report: FixedReport, look: Look) -> Iterator[str]:
    here = function.new or function.old
    where = f":{here.lines}" if here is not None else ""
    gone = "" if function.new is not None else "  (removed)"
    added = "" if function.old is not None else "  (added)"
    yield ""
    yield f"{look.bold(f'{visible(function.path)}{where}')}  {one_line(title(function))}{gone}{added}"
    yield from _changes(function, report, look)
    for kind in Form:
        yield from _locations(function, kind, report, look)
    if function.truncated:
        yield "  The search stopped here; there may be more locations."


def _changes(function: FixedFunction, report: FixedReport, look: Look) -> Iterator[str]:
    before = report.before.get(function.old_path or "")
    after = report.after.get(function.path)
    for change in function.changes[:CHANGES]:
        for content, region, mark in ((before, change.old, "-"), (after, change.new, "+")):
            if content is not None and region is not None:
                yield from _code(TextLines(content), region, mark, look)
    if len(function.changes) > CHANGES:
        yield look.dim(f"     ... {count(len(function.changes) - CHANGES, 'more change')}")


def _locations(function: FixedFunction, kind: Form, report: FixedReport, look: Look) -> Iterator[str]:
    found = function.of_form(kind)
    for number, location in enumerate(found[: LISTED[kind]]):
        yield from _location(location, look)
        if kind is Form.OLD and number < SHOWN:
            yield from _there(location, report, look)
    if len(found) > LISTED[kind]:
        which = "unclear" if kind is Form.UNCLEAR else f"with the {kind} form"
        yield look.dim(f"  ... {len(found) - LISTED[kind]:,} more {which} (--format json lists all)")


def _location(location: FixedLocation, look: Look) -> Iterator[str]:
    first, *others = location.occurrences
    form = "unclear" if location.certainty is None else f"{location.form} form, {location.certainty}"
    where = f"{visible(first.repository)}  {visible(first.path)}:{Lines(*location.lines)}"
    yield f"  {form} ({location.score:+.2f})  {where}"
    fixes = [_fix(commit) for commit in location.fixed_by] or [""] * len(location.occurrences)
    if fixes[0]:
        yield look.dim(f"    {fixes[0]}")
    for other, fix in zip(others[:OCCURRENCES], fixes[1:], strict=False):
        yield look.dim(f"    and {visible(other.repository)}  {visible(other.path)}{fix and f', {fix}'}")
    if len(others) > OCCURRENCES:
        yield look.dim(f"    and {count(len(others) - OCCURRENCES, 'more location')} of the same content")


def _fix(commit: Appearance | None) -> str:
    """The commit that brought a change, such as `fixed by 0123456789ab, since 2024-03-02, released in v1.2`."""
    if commit is None:
        return ""
    by = f"fixed by {commit.commit[:REVISION_DIGITS]}" if commit.commit else "fixed"
    release = f"released in {visible(commit.tag)}" if commit.tag else "in no release"
    return ", ".join(filter(None, (by, since(commit), release)))


def _there(location: FixedLocation, report: FixedReport, look: Look) -> Iterator[str]:
    content = report.texts.of(location.blob, location.occurrences)
    if content is None:
        yield look.dim("     The source is not at hand: its clone is gone or has changed.")
        return
    text = TextLines(content)
    most_like_the_old_form = sorted(location.places, key=lambda place: place.score)[:CHANGES]
    for place in sorted(most_like_the_old_form, key=lambda place: place.change):
        yield from _code(text, place.region, " ", look)


def _code(text: TextLines, region: Region, mark: str, look: Look) -> Iterator[str]:
    shown = range(region.start_line, min(region.end_line, region.start_line + LINES - 1) + 1)
    for number in shown:
        line = f"{number:>6} {mark} {plain(text.line(number), max(look.width - 9, 20))}".rstrip()
        yield look.dim(line) if mark == " " else line
    if region.end_line > shown[-1]:
        yield look.dim(f"       {mark} ... {count(region.end_line - shown[-1], 'more line')}")


def _end(report: FixedReport, look: Look) -> Iterator[str]:
    yield ""
    silent = (function for function in report.functions if not function.locations)
    # A function that was moved or split appears several times, but is named once.
    names = list(dict.fromkeys(clip(one_line(title(function)), 40) for function in silent))
    if names:
        yield look.dim(f"indexed nowhere: {listed(names, OWN, ' ...')}")
    yield from skipped_table(report.skipped)
    if report.tests:
        yield look.dim(f"{count(report.tests, 'file')} of tests left out (--tests)")
    if report.own:
        yield look.dim(f"left out as your own: {listed([*map(visible, report.own)], OWN, ' ...')} (--itself)")
    yield f"{summary(report)}, {duration(report.seconds)}"
    if any(function.locations for function in report.functions):
        yield look.dim(EVIDENCE)


def title(function: FixedFunction) -> str:
    """The name of a changed function, or words for code without a name."""
    if function.name:
        return function.name
    return "a function" if function.is_function else "code outside of functions"


def summary(report: FixedReport) -> str:
    """The answer in one line."""
    if not report.functions:
        return "no function was changed"
    old, new, unclear = map(report.count, Form)
    with_old = f"{count(old, 'location') if old else 'no location'} with an old form"
    rest = f", {unclear:,} unclear" if unclear else ""
    return f"{with_old}, {new:,} with a new one{rest}, of {count(len(report.functions), 'changed function')}"


def live_line(progress: FixedProgress, width: int = 100) -> str:
    """The progress of a search on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.functions:,}/{count(progress.functions_total, 'function')}"]
    return layout.live_line(facts, [duration(progress.seconds)], visible(progress.path), width)


RENDERERS: Mapping[str, Renderer[FixedReport]] = {
    **formats(write),
    "sarif": Renderer(on_use("wherefrom.reports.sarif", "write_fixed")),
}

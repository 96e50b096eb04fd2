"""Who still has fixed code, for a person: function by function what was changed, and who has which form of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wherefrom.reports import layout
from wherefrom.reports.fixed.words import EVIDENCE, form_of, summary, title
from wherefrom.reports.layout import as_lines, clip, count, duration, lines, listed
from wherefrom.reports.sides import TextLines, pieces
from wherefrom.reports.skipped import skipped_table
from wherefrom.results import FixedFunction, FixedLocation, FixedPlace, FixedProgress, FixedReport, Form, Region
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

CHANGES = 4
"""Changes of one function that are shown."""

LINES = 12
"""Lines of one side of a change that are shown."""

SHOWN = 3
"""Locations with the old form whose code is shown, of one function."""

LISTED = {Form.OLD: 10, Form.NEW: 10, Form.UNCLEAR: 3}
"""Locations of each form that are listed, of one function."""

OCCURRENCES = 3
"""Further occurrences of one content that are listed."""

OWN = 10
"""Repositories of one's own that are named."""


def write(report: FixedReport, look: Look) -> Iterator[str]:
    """The answer, function by function; each block ends with a newline. The content of a location is read when its turn
    comes.
    """
    yield f"{look.bold(visible(report.project))}: {one_line(report.change)}\n"
    for function in report.functions:
        if function.locations:
            yield as_lines(_function(function, report, look))
    yield as_lines(_end(report, look))


def _function(function: FixedFunction, report: FixedReport, look: Look) -> Iterator[str]:
    here = function.new or function.old
    where = f":{lines(here.start_line, here.end_line)}" if here is not None else ""
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
        if change.old is not None and before is not None:
            yield from _code(TextLines(before), change.old, "-", look)
        if change.new is not None and after is not None:
            yield from _code(TextLines(after), change.new, "+", look)
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
    where = lines(*location.lines)
    yield f"  {form_of(location)} ({location.score:+.2f})  {visible(first.repository)}  {visible(first.path)}:{where}"
    for other in others[:OCCURRENCES]:
        yield look.dim(f"    and {visible(other.repository)}  {visible(other.path)}")
    if len(others) > OCCURRENCES:
        yield look.dim(f"    and {count(len(others) - OCCURRENCES, 'more location')} of the same content")


def _there(location: FixedLocation, report: FixedReport, look: Look) -> Iterator[str]:
    """The code of a location where the function was changed."""
    content = report.texts.of(location.blob, location.occurrences)
    if content is None:
        yield look.dim("     The source is not at hand: its clone is gone or has changed.")
        return
    text = TextLines(content)
    for place in _oldest(location)[:CHANGES]:
        yield from _code(text, place.region, " ", look)


def _oldest(location: FixedLocation) -> list[FixedPlace]:
    """The places that tell most, in their order."""
    chosen = sorted(location.places, key=lambda place: place.score)[:CHANGES]
    return sorted(chosen, key=lambda place: place.change)


def _code(text: TextLines, region: Region, mark: str, look: Look) -> Iterator[str]:
    shown = range(region.start_line, min(region.end_line, region.start_line + LINES - 1) + 1)
    for number in shown:
        code = "".join(piece.text for piece in pieces(text.line(number), (), max(look.width - 9, 20)))
        line = f"{number:>6} {mark} {code}".rstrip()
        yield look.dim(line) if mark == " " else line
    if region.end_line > shown[-1]:
        yield look.dim(f"       {mark} ... {count(region.end_line - shown[-1], 'more line')}")


def _end(report: FixedReport, look: Look) -> Iterator[str]:
    yield ""
    silent = (function for function in report.functions if not function.locations)
    # A function that was moved or split is several.
    names = list(dict.fromkeys(clip(one_line(title(function)), 40) for function in silent))
    if names:
        yield look.dim(f"indexed nowhere: {listed(names, OWN, ' ...')}")
    yield from skipped_table(report.skipped)
    if report.tests:
        yield look.dim(f"{count(report.tests, 'file')} of tests left out (--tests)")
    if report.own:
        shown = listed([*map(visible, report.own)], OWN, " ...")
        yield look.dim(f"left out as your own: {shown} (--itself)")
    yield f"{summary(report)}, {duration(report.seconds)}"
    if any(function.locations for function in report.functions):
        yield look.dim(EVIDENCE)


def live_line(progress: FixedProgress, width: int = 100) -> str:
    """How far the search is, on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.functions:,}/{count(progress.functions_total, 'function')}"]
    return layout.live_line(facts, [duration(progress.seconds)], visible(progress.path), width)

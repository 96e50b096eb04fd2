"""Writes a trace for a person: one block for each span of the text, in its order."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.projects.check.findings import MatchedLocation
from wherefrom.projects.trace import TracedSpan, TraceResult
from wherefrom.reports.hit_fields import TRANSLATED
from wherefrom.reports.layout import SEPARATOR, as_lines, count, probable
from wherefrom.reports.look import Look
from wherefrom.reports.place_text import here_since, license_names, location
from wherefrom.reports.renderer import formats
from wherefrom.support.printable import one_line

SHOWN = 3
"""At most this many places of a span are named. The JSON format has more."""


def write(result: TraceResult, look: Look) -> Iterator[str]:
    """The answer as text."""
    looked = f"{count(result.units, 'piece')} looked up"
    head = f"{count(len(result.spans), 'span')} of it elsewhere" if result.spans else "nothing of it found"
    parts = [f"{look.bold(one_line(result.name))}: {head}, {looked}"]
    for rank, span in enumerate(result.spans, 1):
        parts += ["", *_span(rank, span, look)]
    yield as_lines(parts)


def _span(rank: int, span: TracedSpan, look: Look) -> Iterator[str]:
    noun = "line" if span.lines.first == span.lines.last else "lines"
    credit = "credited" if span.is_credited else "not credited"
    yield look.bold(f"{rank}. {noun} {span.lines}{SEPARATOR}{count(span.tokens, 'token')}{SEPARATOR}{credit}")
    for place in span.places[:SHOWN]:
        yield f"   {location(place.occurrence, place.regions)}"
        yield look.dim(f"     {SEPARATOR.join(_facts(place))}")
    more = len(span.places[SHOWN:]) + span.more
    if more:
        yield look.dim(f"   and {count(more, 'more place')}")


def _facts(place: MatchedLocation) -> Iterator[str]:
    yield "the whole text" if place.probability is None else probable(place.probability)
    if place.translated_from is not None:
        yield TRANSLATED.format(place.translated_from)
    yield license_names(place.licenses) or "no license stated"
    if place.age is not None:
        yield here_since(place.age)
    if place.count > 1:
        yield f"and {count(place.count - 1, 'identical location')}"


RENDERERS = formats(write)

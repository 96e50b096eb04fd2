"""Writes where code appeared first for a person: one block for each place, the oldest first."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.reports.figures import left_out, query_facts, too_short
from wherefrom.reports.layout import SEPARATOR, as_lines, count, percent, probable, wrapped
from wherefrom.reports.look import Look
from wherefrom.reports.place_text import REVISION_DIGITS, commit, day, doubts, tag
from wherefrom.reports.renderer import formats
from wherefrom.results import FirstPlace, FirstResult
from wherefrom.support.printable import one_line, visible

UNKNOWN = "age not known"


def write(result: FirstResult, look: Look) -> Iterator[str]:
    """The answer as text."""
    parts = _head(result, look)
    for rank, place in enumerate(result.places, 1):
        parts += ["", *_place(rank, place, look)]
    yield as_lines(parts)


def claim(result: FirstResult) -> list[str]:
    """What the answer says about the oldest place, in sentences without a full stop."""
    oldest = result.oldest
    if oldest is None or oldest.age is None:
        return ["the age of no place is known"] if result.places else []
    said = [f"the oldest place known here is of {day(oldest.age.first)}"]
    if result.is_unsure:
        why = (
            "that date is in doubt"
            if oldest.age.first.doubts
            else "the code there was changed after it appeared elsewhere"
        )
        said.append(f"another repository may be the oldest: {why}")
    return said


def _head(result: FirstResult, look: Look) -> list[str]:
    query = result.query
    head = f"{look.bold(one_line(query.name))} ({query_facts(query)}): "
    if short := too_short(query):
        return [f"{head}{short}"]
    if not result.places:
        return [f"{head}nothing found", *left_out(query)]
    shown = f", {len(result.places):,} shown" if result.total > len(result.places) else ""
    first, *more = claim(result)
    notes = [f"{sentence[0].upper()}{sentence[1:]}." for sentence in more]
    return [f"{head}{count(result.total, 'place')}{shown}; {first}", *left_out(query), *notes]


def _place(rank: int, place: FirstPlace, look: Look) -> Iterator[str]:
    at, age = place.occurrence, place.age
    lines = f":{place.lines}" if place.lines is not None else ""
    where = f"{visible(at.repository)}  {visible(at.path)}{lines}"
    yield look.bold(f"{rank}. {UNKNOWN if age is None else day(age.first)}  {where}")
    of_commit = [] if age is None else [*tag(age.first), commit(age.first)]
    facts = [*of_commit, f"match {percent(place.match / 100)}", probable(place.probability)]
    yield look.dim(f"   {SEPARATOR.join(facts)}")
    for note in _notes(place):
        yield from wrapped(note, look.width, "   ")


def _notes(place: FirstPlace) -> Iterator[str]:
    age = place.age
    if place.is_gone:
        yield "gone from the indexed revision"
    if age is None:
        return
    if age.first.brought_by is not None:
        yield f"brought by commit {age.first.brought_by[:REVISION_DIGITS]}"
    if age.first.written is not None and age.first.written != age.first.day:
        yield f"written {age.first.written}, as its author's date says"
    if age.since.commit != age.first.commit:
        details = ", ".join([*tag(age.since), commit(age.since)])
        yield f"as it is now since {day(age.since)} ({details})"
    yield from doubts(age)


RENDERERS = formats(write)

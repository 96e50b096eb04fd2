"""Writes for a person where code is from: the sources of a file, its first places, its releases, and traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wherefrom import results
from wherefrom.model import Occurrence
from wherefrom.public import MatchedLocation, TracedSpan, TraceResult
from wherefrom.reports.figures import left_out, query_facts, too_short
from wherefrom.reports.hit_fields import (
    REVISION_DIGITS,
    TRANSLATED,
    commit,
    day,
    doubts,
    here_since,
    license_names,
    location,
    tag,
)
from wherefrom.reports.layout import SEPARATOR, as_lines, clip, count, listed, percent, probable, wrapped
from wherefrom.reports.renderer import Look, formats
from wherefrom.reports.sides import TextLines, plain
from wherefrom.results.regions import joined, line_range
from wherefrom.support.printable import one_line, visible

SHORT = 60  # by default, a file with at most this many lines is shown line by line
OTHERS = 3  # for a document, at most this many further places and other documents are listed. The JSON format has all
RANGES = 12  # at most this many ranges of lines are named; the JSON format has all

INDENT = "   "

UNEXPLAINED, MASKED = "?", "-"
"""The marks before a line that no document explains, and before one that was left out as boilerplate."""


def live_line(done: int, total: int, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    return clip(f"looking up {done + 1:,}/{total:,}", width)


def _write_sources(result: results.SourcesResult, look: Look) -> Iterator[str]:
    parts = [_sources_head(result, look)]
    for rank, document in enumerate(result.documents, 1):
        parts += ["", *_document(rank, document, look)]
    if result.documents:
        rest = [
            *_remainder("not explained", result.unexplained, look),
            *_remainder("left out as boilerplate", result.masked, look),
        ]
        if result.truncated:
            rest.append("More documents would explain more of it (--limit).")
        parts += ["", *rest] if rest else []
    if result.documents and look.lines is not False and (content := result.texts.query()) is not None:
        text = TextLines(content)
        if look.lines or text.count <= SHORT:
            parts += ["", *_file(result, text, look)]
    yield as_lines(parts)


def _sources_head(result: results.SourcesResult, look: Look) -> str:
    query = result.query
    head = f"{look.bold(one_line(query.name))} ({query_facts(query)}): "
    if short := too_short(query):
        return f"{head}{short}"
    if not result.documents:
        return f"{head}no indexed document explains a part of it"
    share = min(sum(document.share for document in result.documents), 1.0)
    return f"{head}{count(len(result.documents), 'document explains', 'documents explain')} {percent(share)} of it"


def _document(rank: int, document: results.SourceDocument, look: Look) -> Iterator[str]:
    first, *others = document.occurrences
    where = _named(joined(pair.document.lines for pair in document.regions))
    yield look.bold(f"{rank}. {visible(first.repository)}  {visible(first.path)}")
    yield from wrapped(f"{percent(document.share)} of the file: {_named(document.lines)}", look.width, INDENT)
    there = f"there: {where} · {visible(document.language)} · {count(document.tokens, 'token')}"
    yield from wrapped(there, look.width, INDENT)
    notes = []
    if document.all_lines != document.lines:
        notes += wrapped(f"explains in all: {_named(document.all_lines)}", look.width, INDENT)
    if others:
        notes += _places(f"and {count(len(others), 'more location')}", others, look)
    if document.alternatives:
        label = f"{count(len(document.alternatives), 'other document')} would do as well"
        notes += _places(label, document.alternatives, look)
    yield from map(look.dim, notes)


def _places(label: str, places: Sequence[Occurrence], look: Look) -> list[str]:
    names = [f"{visible(at.repository)} {visible(at.path)}" for at in places]
    return wrapped(f"{label}: {listed(names, OTHERS)}", look.width, INDENT)


def _named(ranges: Sequence[results.Lines]) -> str:
    """`line 3`, `lines 1-9, 20`; `parts of lines` for a document that explains no whole line."""
    if not ranges:
        return "parts of lines"
    shown = ", ".join(map(str, ranges[:RANGES]))
    more = f" and {count(len(ranges) - RANGES, 'more range')}" if len(ranges) > RANGES else ""
    noun = "line" if len(ranges) == 1 and ranges[0].first == ranges[0].last else "lines"
    return f"{noun} {shown}{more}"


def _remainder(label: str, remainder: results.Remainder, look: Look) -> list[str]:
    if not remainder.tokens:
        return []
    return wrapped(f"{label}: {percent(remainder.share)} of the file, {_named(remainder.lines)}", look.width)


def _file(result: results.SourcesResult, text: TextLines, look: Look) -> Iterator[str]:
    """The lines of the file, each after the rank of the document that explains it, or after a mark."""
    marked = [(UNEXPLAINED, result.unexplained.lines), (MASKED, result.masked.lines)]
    marked += ((str(rank), document.lines) for rank, document in enumerate(result.documents, 1))
    marks = {line: mark for mark, ranges in marked for span in ranges for line in range(span.first, span.last + 1)}
    digits, wide = len(str(text.count)), len(str(len(result.documents)))
    room = max(look.width - digits - wide - 4, 2)
    for number in range(1, text.count + 1):
        mark = marks.get(number, "")
        code = plain(text.line(number), room)
        line = f"{mark:>{wide}} {number:>{digits}} │ "
        painted = look.matched(code) if mark.isdigit() else look.dim(code)
        yield (look.dim(line) + painted).rstrip()


SOURCES = formats(_write_sources)


UNKNOWN = "age not known"


def _write_first(result: results.FirstResult, look: Look) -> Iterator[str]:
    parts = _first_head(result, look)
    for rank, place in enumerate(result.places, 1):
        parts += ["", *_first_place(rank, place, look)]
    yield as_lines(parts)


def claim(result: results.FirstResult) -> list[str]:
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


def _first_head(result: results.FirstResult, look: Look) -> list[str]:
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


def _first_place(rank: int, place: results.FirstPlace, look: Look) -> Iterator[str]:
    at, age = place.occurrence, place.age
    lines = f":{place.lines}" if place.lines is not None else ""
    where = f"{visible(at.repository)}  {visible(at.path)}{lines}"
    yield look.bold(f"{rank}. {UNKNOWN if age is None else day(age.first)}  {where}")
    of_commit = [] if age is None else [*tag(age.first), commit(age.first)]
    facts = [*of_commit, f"match {percent(place.match / 100)}", probable(place.probability)]
    yield look.dim(f"   {SEPARATOR.join(facts)}")
    for note in _notes(place):
        yield from wrapped(note, look.width, "   ")


def _notes(place: results.FirstPlace) -> Iterator[str]:
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


FIRST = formats(_write_first)


PATHS = 10  # at most this many paths are listed for each kind of change; the JSON format has all


def _write_releases(result: results.ReleasesResult, look: Look) -> Iterator[str]:
    files = f" ({count(result.files, 'file')})" if result.files > 1 else ""
    head = f"{look.bold(one_line(result.name))}{files}: "
    shown = f", the nearest {len(result.releases):,} shown" if result.total > len(result.releases) else ""
    parts = [f"{head}{count(result.total, 'release')}{shown}" if result.total else f"{head}no release fits"]
    for rank, release in enumerate(result.releases, 1):
        parts += ["", *_release(rank, release, result.files, look)]
    yield as_lines(parts)


def _release(rank: int, release: results.FittingRelease, files: int, look: Look) -> Iterator[str]:
    at = release.occurrence
    tag = f"@{visible(release.version)}" if release.version and not at.repository.endswith(release.version) else ""
    lines = line_range(release.matched_regions)
    path = f"  {visible(at.path)}" if at.path else ""
    yield look.bold(f"{rank}. {visible(at.repository)}{tag}{path}{f':{lines}' if lines else ''}")
    same = "identical" if files == release.identical else f"{percent(release.likeness)} alike"
    facts = [same, *([visible(release.released)] if release.released else [])]
    kinds = {"changed": release.changed, "only here": release.added, "missing": release.missing}
    if files > release.identical and files > 1:
        facts.insert(1, f"{release.identical:,} of {count(files, 'file')} identical")
    yield look.dim(f"   {SEPARATOR.join(facts)}")
    for kind, paths in kinds.items():
        if paths:
            yield from wrapped(f"{kind}: {listed([*map(visible, paths)], PATHS)}", look.width, "   ")


RELEASES = formats(_write_releases)


PLACES = 3  # at most this many places of a span are named. The JSON format has more


def _write_trace(result: TraceResult, look: Look) -> Iterator[str]:
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
    for place in span.places[:PLACES]:
        yield f"   {location(place.occurrence, place.regions)}"
        yield look.dim(f"     {SEPARATOR.join(_facts(place))}")
    more = len(span.places[PLACES:]) + span.more
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


TRACE = formats(_write_trace)

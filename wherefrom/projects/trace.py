"""Traces a text, such as the answer of an assistant, to the places that have its code and prose."""

from __future__ import annotations

import time
from collections.abc import Sequence

from wherefrom.analyzers import containers
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.guessing import guess_snippet
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError, BinaryContent
from wherefrom.languages import LANGUAGES
from wherefrom.model import Rule, SkipReason
from wherefrom.options import CheckOptions, SearchOptions, TraceOptions
from wherefrom.projects.changes.comparison import Changed, Overlaid
from wherefrom.projects.check.ages import Ages, with_records
from wherefrom.projects.check.findings import MOST_PLACES, MatchedLocation
from wherefrom.projects.check.lookup import FileLookup, Setup
from wherefrom.projects.check.project import Project
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.filters import OwnPlaces
from wherefrom.results import Lines
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class TracedSpan(JsonObject):
    """Lines of a text that are elsewhere too.

    Attributes:
        lines: the lines.
        tokens: the number of tokens of the piece.
        is_credited: whether the text names the first place.
        places: where the piece also is, credited places first, then the best, at most `MOST_PLACES`.
        more: the number of further places that were found.
    """

    JSON = "*lines tokens credited=is_credited places more"

    lines: Lines
    tokens: int
    is_credited: bool
    places: tuple[MatchedLocation, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class TraceResult(JsonDocument):
    """The spans of a text that are elsewhere too, in the order of the text. No span is inside a longer one.

    Attributes:
        name: the name of the text.
        engine: the name of the engine of the index.
        spans: the spans.
        units: the number of functions, and of stretches between them, that were looked up.
        took_ms: milliseconds of the trace.
    """

    name: str
    engine: str
    spans: tuple[TracedSpan, ...]
    units: int
    took_ms: float


NAME = "text"  # the name of a text without a name, before its ending


def trace(engine: Engine, text: bytes, options: TraceOptions, analyzer: Analyzer) -> TraceResult:
    """Finds the spans of a text that are in the index too (`wherefrom.Index.trace` has the errors)."""
    begin = time.perf_counter()
    name = options.name
    if not name:
        has_fence = next(containers.fences(text), None) is not None
        name = NAME + (".md" if has_fence else LANGUAGES[guess_snippet(text)].extensions[0])
    own = OwnPlaces.named(engine, options.own, frozenset())
    limits = CheckOptions(
        min_tokens=options.min_tokens,
        max_file_size=options.max_file_size,
        parse_seconds=options.parse_seconds,
        parse_memory=options.parse_memory,
    )
    setup = Setup(Project(()), limits, SearchOptions(limit=MOST_PLACES, without_sets=left_out(engine, options)), own)
    text = _labelled(text)
    looked_up = FileLookup(setup, engine, analyzer).file(Changed(name, text, is_whole=True))
    if looked_up is SkipReason.BINARY:
        raise BinaryContent(f"{name} is binary; give a text")
    if isinstance(looked_up, SkipReason):
        raise AnalysisError(f"{name} cannot be read: {looked_up}; give a part of it")
    # The text has no license, so no license conflicts with it.
    findings = [found.finding for found in looked_up.found if found.counts] if looked_up is not None else []
    findings = Ages(engine, analyzer, None, Overlaid({name: text}), {name: text}, own).of(findings)
    spans = [
        TracedSpan(at.region.lines, at.tokens, at.rule is Rule.COPIED_ATTRIBUTED, at.places, at.more)
        for at in with_records(engine, findings)
    ]
    units = 0 if looked_up is None else looked_up.units
    return TraceResult(name, engine.name, _maximal(spans), units, round((time.perf_counter() - begin) * 1000, 3))


def _maximal(spans: Sequence[TracedSpan]) -> tuple[TracedSpan, ...]:
    kept: list[TracedSpan] = []
    for span in sorted(spans, key=lambda span: (-span.tokens, span.lines.first)):
        if not any(other.lines.first <= span.lines.first and span.lines.last <= other.lines.last for other in kept):
            kept.append(span)
    return tuple(sorted(kept, key=lambda span: (span.lines.first, span.lines.last)))


def _labelled(text: bytes) -> bytes:
    """A text whose fences have the likeliest language if they do not name one. All lines stay where they are."""
    parts, done = [], 0
    for fence in containers.fences(text):
        if not fence.label:
            end = max(fence.begin - 1, fence.outer_begin)
            parts += [text[done:end].rstrip(b"\r"), guess_snippet(text[fence.begin : fence.end]).encode()]
            done = end
    return b"".join([*parts, text[done:]])

"""The answer of a trace."""

from __future__ import annotations

from wherefrom.projects.check.findings import MatchedLocation
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
    """The spans of a text that are elsewhere too, the longest first. No span is inside a longer one.

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

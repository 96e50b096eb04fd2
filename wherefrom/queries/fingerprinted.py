"""A query without its code: the terms of a snippet, and the lines that they are from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import UsageError
from wherefrom.model import INDEXED, TERM_BITS, Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query
from wherefrom.results import QueryInfo
from wherefrom.support.formats import Format, OtherFormat

FORMAT = Format(version=1, reader=1, oldest=1)
"""The version of the file's format."""

_REMEDY = "make it again with `wherefrom fingerprint`"

_MOST_WINDOWS, _MOST_TERMS = 10_000, 1_000_000


@dataclass(frozen=True, slots=True)
class FingerprintedWindow:
    """A window of a snippet.

    Attributes:
        times: how often the snippet has this window.
        patterns, literals: how many different ones it has (`queries.preparation.patterns`).
        terms: by representation, each term with the first and the last line of its first k-gram, from 1.
    """

    times: int
    patterns: int
    literals: int
    terms: Mapping[Representation, Mapping[int, tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class FingerprintedQuery:
    """The terms of a snippet, which can be looked up without the snippet.

    Attributes:
        info: how the snippet was read.
        unit: this many tokens count as one (`Patterns.unit`).
        windows: its windows that have terms.
    """

    info: QueryInfo
    unit: int
    windows: tuple[FingerprintedWindow, ...]

    def dump(self) -> str:
        """The terms as JSON."""
        values = {
            **FORMAT.stamp(),
            "schemes": {str(key): value for key, value in scheme_ids().items()},
            "query": {
                "name": self.info.name,
                "language": self.info.language,
                "tokens": self.info.tokens,
                "fingerprints": self.info.fingerprints,
                "window": self.info.window,
                "guarantee": self.info.guarantee,
                "excluded": dict(self.info.excluded),
                "excluded_tokens": self.info.excluded_tokens,
                "needed": self.info.needed,
            },
            "unit": self.unit,
            "windows": [
                {
                    "times": window.times,
                    "patterns": window.patterns,
                    "literals": window.literals,
                    "terms": {
                        str(key): [[f"{term:012x}", *lines] for term, lines in own.items()]
                        for key, own in window.terms.items()
                    },
                }
                for window in self.windows
            ],
        }
        return json.dumps(values) + "\n"

    @classmethod
    def load(cls, data: bytes | str, name: str) -> FingerprintedQuery:
        """The reverse of `dump`; `name` is for messages. Raises UsageError if these are not terms of this version."""
        try:
            values = FORMAT.load(data.encode() if isinstance(data, str) else data, _REMEDY)
            if {str(key): value for key, value in scheme_ids().items()} != values["schemes"]:
                raise UsageError(f"{name} was made with other schemes; {_REMEDY} of this version")
            info = QueryInfo(**values["query"])
            windows = tuple(_window(window) for window in values["windows"][:_MOST_WINDOWS])
            numbers = [info.tokens, info.fingerprints, info.window, info.guarantee, info.excluded_tokens]
            needed = [] if info.needed is None else [info.needed]
            _check_counts(*numbers, *needed, *dict(info.excluded).values())
            _check_counts(values["unit"], least=1)
            if not all(type(values["query"][name]) is str for name in ("name", "language")):
                raise ValueError("a name is missing")
            return cls(info, values["unit"], windows)
        except OtherFormat as error:
            raise UsageError(f"{name} {error}") from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError(f"{name} has no fingerprints; {_REMEDY}") from None


def fingerprints_of(query: Query, name: str, language: str) -> FingerprintedQuery:
    """The terms of a query."""
    lines: dict[tuple[Representation, int], tuple[int, int]] = {}
    for found in query.fingerprints:
        last = found.position + SCHEMES[found.representation].k - 1
        span = int(query.stream.start_lines[found.position]), int(query.stream.end_lines[last])
        lines.setdefault((found.representation, found.term), span)
    windows = []
    for part in query.parts:
        counts = query.patterns.among(part.begin, np.ones(part.end - part.begin, np.bool_))
        terms = {key: {term: lines[key, term] for term in own} for key, own in part.terms.items()}
        windows.append(FingerprintedWindow(len(part.distances), *counts, terms))
    info = query.info(name, language)
    if query.is_too_short:
        info = replace(info, needed=query.least_matched)
    return FingerprintedQuery(info, query.patterns.unit, tuple(windows))


def fingerprinted(
    snippet: Analysis, options: SearchOptions, name: str, engine: Engine | None = None
) -> FingerprintedQuery:
    """The terms of an analyzed snippet, without those of boilerplate sets, which may be stored in an index."""
    sets = [*(left_out(engine, options) if engine is not None else ()), *options.without_sets]
    query = prepare(snippet.tokens, MemoryEngine(scheme_ids()), window=options.window, boilerplate=sets)
    return fingerprints_of(query, name, snippet.language)


def _window(values: Mapping[str, Any]) -> FingerprintedWindow:
    terms: dict[Representation, dict[int, tuple[int, int]]] = {}
    for name, rows in dict(values["terms"]).items():
        own = {int(term, 16): (first, last) for term, first, last in rows[:_MOST_TERMS]}
        if any(not 0 <= term < 1 << TERM_BITS for term in own):
            raise ValueError("a term is too long")
        _check_counts(*(line for span in own.values() for line in span), least=1)
        terms[Representation(name)] = own
    times, patterns, literals = (values[name] for name in ("times", "patterns", "literals"))
    _check_counts(times, least=1)
    _check_counts(patterns, literals)
    return FingerprintedWindow(times, patterns, literals, {key: terms[key] for key in INDEXED if key in terms})


def _check_counts(*counts: object, least: int = 0) -> None:
    """Raises ValueError if some counts are not whole numbers from `least` on, or are larger than any text."""
    if any(type(count) is not int or not least <= count < 1 << 40 for count in counts):
        raise ValueError("a count is missing")

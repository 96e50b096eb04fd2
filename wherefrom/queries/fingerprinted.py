"""A query without its code: the terms of a snippet, and the lines that they are from.

Whoever looks them up may have them from a stranger, so each value is checked when they are loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids, token_scheme_ids
from wherefrom.errors import UsageError
from wherefrom.model import OF_TOKENS, TERM_BITS, Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.preparation.preparing import STRIDE, prepare
from wherefrom.queries.preparation.query import Query
from wherefrom.queries.snippet import MOST_QUERIED, MOST_TOKENS, Readings, name_with_lines
from wherefrom.results import QueryInfo
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.pattern import later
from wherefrom.support.values import asdict, dataclass, replace

FORMAT = Format(version=2, reader=2, oldest=2)  # the version of the file's format
_REMEDY = "make it again with `wherefrom fingerprint`"

MOST_FINGERPRINTED = 32_000_000
"""The highest number of bytes of a file. Reading it takes about 25 times its memory at most."""

_TOO_LARGE = f"more than {MOST_FINGERPRINTED // 1_000_000} MB"
MOST_WINDOWS = MOST_TOKENS // STRIDE  # the highest number of windows, as the longest snippet has
_MOST_LINES = MOST_QUERIED + 1

_MOST_NUMBER = 100 * MOST_TOKENS

_TERM = later(rf"[0-9a-f]{{1,{TERM_BITS // 4}}}")


@dataclass(frozen=True, slots=True)
class FingerprintedWindow:
    """A window of a snippet.

    Attributes:
        bits: the evidence in it (`queries.preparation.background`).
        terms: by representation, each term with the first and the last line of its first k-gram, from 1.
    """

    bits: float
    terms: Mapping[Representation, Mapping[int, tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class FingerprintedReading:
    """The terms of one reading of a snippet.

    Attributes:
        info: how the snippet was read.
        counted: how many tokens count as evidence (`Query.counted`).
        windows: its windows that have terms.
    """

    info: QueryInfo
    counted: float
    windows: tuple[FingerprintedWindow, ...]

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> FingerprintedReading:
        """The reverse of `values`. Raises an error of Python if a value is missing or wrong."""
        info = QueryInfo(**values["query"])
        if type(info.name) is not str or type(info.language) is not str:
            raise ValueError("a name is missing")
        _check_counts(info.tokens, most=MOST_TOKENS)
        _check_counts(info.excluded_tokens, most=info.tokens)
        needed = [] if info.needed is None else [info.needed]
        _check_counts(info.fingerprints, info.window, info.guarantee, *needed, *info.excluded.values())
        _check_number(values["counted"], least=1)
        return cls(info, values["counted"], tuple(map(_window, values["windows"])))

    def values(self) -> dict[str, Any]:
        """The terms as values of JSON."""
        return {
            "query": asdict(self.info),
            "counted": self.counted,
            "windows": [
                {
                    "bits": window.bits,
                    "terms": {
                        str(key): [[f"{term:012x}", *lines] for term, lines in own.items()]
                        for key, own in window.terms.items()
                    },
                }
                for window in self.windows
            ],
        }


@dataclass(frozen=True, slots=True)
class FingerprintedQuery:
    """The terms of a snippet, which can be looked up without the snippet.

    Attributes:
        readings: one for each way that a search reads the snippet (`queries.snippet`), the likeliest first.
    """

    readings: tuple[FingerprintedReading, ...]

    @property
    def terms(self) -> int:
        """The number of terms to look up, in all windows of all readings."""
        return sum(len(own) for reading in self.readings for window in reading.windows for own in window.terms.values())

    def dump(self) -> str:
        """The terms as JSON. Raises UsageError if that is more than `load` reads."""
        values = {
            **FORMAT.stamp(),
            "schemes": {str(key): value for key, value in token_scheme_ids().items()},
            "readings": [reading.values() for reading in self.readings],
        }
        dumped = json.dumps(values) + "\n"
        if len(dumped) > MOST_FINGERPRINTED:
            raise UsageError(f"{self.readings[0].info.name} has {_TOO_LARGE} of fingerprints; name some of its lines")
        return dumped

    @classmethod
    def load(cls, data: bytes | str, name: str) -> FingerprintedQuery:
        """The reverse of `dump`; `name` is for messages. Raises UsageError if these are not terms of this version."""
        if len(data) > MOST_FINGERPRINTED:
            raise UsageError(f"{name} has {_TOO_LARGE}; make the fingerprints of fewer lines")
        try:
            values = json.loads(data)
        except (ValueError, RecursionError):
            raise UsageError(f"{name} has no fingerprints; {_REMEDY}") from None
        return cls.of_values(values, name)

    @classmethod
    def of_values(cls, values: Any, name: str) -> FingerprintedQuery:
        """As `load`, from JSON that was read already."""
        try:
            if FORMAT.checked(values, _REMEDY)["schemes"] != token_scheme_ids():
                raise UsageError(f"{name} was made with other schemes; {_REMEDY} of this version")
            if sum(len(reading["windows"]) for reading in values["readings"]) > MOST_WINDOWS:
                raise UsageError(f"{name} has more windows than the longest snippet; {_REMEDY}")
            readings = tuple(map(FingerprintedReading.of_values, values["readings"]))
            if not readings:
                raise ValueError("a reading is missing")
            return cls(readings)
        except OtherFormat as error:
            raise UsageError(f"{name} {error}") from None
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError(f"{name} has no fingerprints; {_REMEDY}") from None


def fingerprints_of(query: Query, name: str, language: str) -> FingerprintedReading:
    """The terms of a query, which is one reading of a snippet."""
    lines: dict[tuple[Representation, int], tuple[int, int]] = {}
    for found in query.fingerprints:
        last = found.position + SCHEMES[found.representation].k - 1
        span = int(query.stream.start_lines[found.position]), int(query.stream.end_lines[last])
        lines.setdefault((found.representation, found.term), span)
    windows = []
    for part in query.parts:
        terms = {key: {term: lines[key, term] for term in own} for key, own in part.terms.items()}
        windows.append(FingerprintedWindow(query.bits.total(part.begin, part.end), terms))
    info = query.info(name, language)
    if query.is_too_short:
        info = replace(info, needed=query.least_matched)
    return FingerprintedReading(info, query.counted, tuple(windows))


def fingerprinted(code: bytes, options: SearchOptions, analyzer: Analyzer) -> FingerprintedQuery:
    """The terms of a snippet in all of its readings, without those of `options.without_sets`."""
    from wherefrom.engines.memory import MemoryEngine  # noqa: PLC0415 -- a search does not need it

    name = name_with_lines(options.name, options.lines)
    made: list[FingerprintedReading] = []
    for snippet, as_code in Readings(code, options, analyzer).every():
        engine = MemoryEngine(scheme_ids())
        sets = options.without_sets
        query = prepare(snippet.tokens, engine, boilerplate=sets, as_code=as_code)
        reading = fingerprints_of(query, name, snippet.language)
        # Two languages may give the same terms. Then the likelier one is enough.
        if all(reading.windows != other.windows for other in made):
            made.append(reading)
    return FingerprintedQuery(tuple(made))


def _window(values: Mapping[str, Any]) -> FingerprintedWindow:
    terms: dict[Representation, dict[int, tuple[int, int]]] = {}
    for name, rows in dict(values["terms"]).items():
        own = terms[Representation(name)] = {}
        for term, first, last in rows:
            if _TERM.fullmatch(term) is None:
                raise ValueError("a term has other letters, or too many")
            _check_counts(first, least=1, most=_MOST_LINES)
            _check_counts(last, least=first, most=_MOST_LINES)
            own[int(term, 16)] = first, last
    if not terms or not all(terms.values()):
        raise ValueError("a window has no terms")
    _check_number(values["bits"])
    return FingerprintedWindow(values["bits"], {key: terms[key] for key in OF_TOKENS if key in terms})


def _check_counts(*counts: object, least: int = 0, most: int = 1 << 40) -> None:
    if any(type(count) is not int or not least <= count <= most for count in counts):
        raise ValueError("a count is missing")


def _check_number(number: object, least: float = 0) -> None:
    if not isinstance(number, int | float) or isinstance(number, bool) or not least <= number <= _MOST_NUMBER:
        raise ValueError("a number is missing")

"""Finds the contents of an index that have watched code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.tokens import TokenStream, decode, encode, part
from wherefrom.engines.engine import Engine
from wherefrom.errors import UsageError
from wherefrom.model import SkipReason
from wherefrom.options import FixedOptions, SearchOptions, WatchOptions
from wherefrom.options.arguments import encoded
from wherefrom.projects.changes.comparison import Pair
from wherefrom.projects.fixed.finder import MOST_GROUPS, Fixed
from wherefrom.projects.fixed.functions import changed_functions
from wherefrom.projects.fixed.sides import Sides
from wherefrom.projects.fixed.sites import sites
from wherefrom.projects.watch.watches import Terms, Watch, WatchedPair, WatchedPart
from wherefrom.queries.judging.rule import STRONG
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.searching import holders
from wherefrom.results import Lines
from wherefrom.results.fixed import Form
from wherefrom.sources.checkout import Checkout
from wherefrom.support.printable import visible

MOST_BYTES = 4_000_000
"""The most bytes of the files of a commit that is watched, before and after it."""

_SEARCH = SearchOptions(limit=MOST_GROUPS)


def now() -> str:
    """The time in UTC and ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def watch_of(engine: Engine, name: str, options: WatchOptions, analyzer: Analyzer) -> Watch:
    """Makes a watch of the files or the fix that the options name.

    Raises:
        UsageError: there is nothing to watch for.
        SourceError: the commit cannot be read.
    """
    if (options.fixed is None) == (not options.files):
        raise UsageError("name the files to watch for, or a commit with --fixed COMMIT, and not both")
    own = tuple(options.own)
    if options.fixed is None:
        parts, what = list(_of_files(engine, options, analyzer)), tuple(options.files or ())
    else:
        fixed = FixedOptions(project=options.project, min_tokens=options.min_tokens)
        checkout, _ = Checkout.of([options.project or "."])
        own += tuple(sorted(checkout.keys()))
        pairs, words, _ = Fixed(engine, options.fixed, fixed, analyzer).change(checkout)
        parts, what = [_of_change(engine, words, list(pairs), fixed, analyzer)], (words,)
    return Watch(name, now(), what, options.fixed is not None, options.post, own, tuple(parts))


def _of_files(engine: Engine, options: WatchOptions, analyzer: Analyzer) -> Iterator[WatchedPart]:
    for path, content in (options.files or {}).items():
        analyzed = analyzer.units(path, encoded(content), options.limits, options.min_tokens, is_piece=True)
        if isinstance(analyzed, SkipReason):
            raise UsageError(f"{visible(path)} cannot be watched: {analyzed}; name a file with code")
        analysis, units = analyzed
        terms = [(unit, _terms(engine, part(analysis.tokens, unit.begin, unit.end))) for unit in units]
        if not any(found for _, found in terms):
            raise UsageError(
                f"{visible(path)} has no code of {options.min_tokens} tokens; name a file with a longer piece of code"
            )
        for unit, found in terms:
            if found:
                stream = part(analysis.tokens, unit.begin, unit.end)
                lines = Lines(int(stream.start_lines[0]), int(stream.end_lines[-1]))
                yield WatchedPart(f"{path}:{lines}", found, encode(stream))


def _of_change(
    engine: Engine, words: str, pairs: Sequence[Pair], options: FixedOptions, analyzer: Analyzer
) -> WatchedPart:
    fixed = Fixed(engine, None, options, analyzer)
    kept: list[Pair] = []
    terms: list[Terms] = []
    for pair in pairs:
        found = list(_old_terms(engine, fixed.sides([pair]), options.min_tokens))
        kept += [pair] if found else []
        terms += found
    if not kept:
        raise UsageError(f"{words} changed no code that could be watched for; name a commit that changes code")
    size = sum(len(content) for pair in kept for content in (pair.old, pair.new) if isinstance(content, bytes))
    if size > MOST_BYTES:
        raise UsageError(f"the files of {words} have more than {MOST_BYTES:,} bytes; watch the old code itself instead")
    return WatchedPart(words, tuple(terms), change=tuple(kept))


def _old_terms(engine: Engine, sides: Sequence[Sides], least: int) -> Iterator[Terms]:
    """The terms of the code as it was before a change."""
    for function in changed_functions(sides):
        for site in sites(function.old, function.new, function.differences):
            if site.old is not None and len(site.old) >= least:
                yield from _terms(engine, site.old.tokens)


def _terms(engine: Engine, stream: TokenStream) -> tuple[Terms, ...]:
    """The terms that each window of a search for some tokens looks up."""
    query = prepare(stream, engine)
    return tuple(
        {key: np.fromiter(terms, np.uint64, len(terms)) for key, terms in window.terms.items()}
        for window in query.parts
    )


class WatchLookup:
    """Looks up parts of watched code. Keeps what it has read of them."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._streams: dict[tuple[str, int], TokenStream] = {}
        self._sides: dict[tuple[str, int], list[Sides]] = {}

    def pairs(self, engine: Engine, watch: Watch, number: int) -> Iterator[WatchedPair]:
        """The contents of an index that have a part of a watch, given by its number."""
        find = self._of_change if watch.parts[number].change else self._of_code
        since = now()
        for blob, lines, probability in find(engine, (watch.name, number), watch.parts[number]):
            yield WatchedPair(watch.name, number, blob, lines, probability, since)

    def _of_code(
        self, engine: Engine, key: tuple[str, int], watched: WatchedPart
    ) -> Iterator[tuple[str, Lines, float | None]]:
        if key not in self._streams:
            self._streams[key] = decode(watched.tokens)
        found, _ = holders(engine, self._streams[key], _SEARCH, least=STRONG)
        for holder in found:
            there = holder.stream
            first = min(int(there.start_lines[run.begin + run.shift]) for run in holder.runs)
            last = max(int(there.end_lines[run.end + run.shift - 1]) for run in holder.runs)
            yield holder.blob, Lines(first, last), round(holder.probability, 4)

    def _of_change(
        self, engine: Engine, key: tuple[str, int], watched: WatchedPart
    ) -> Iterator[tuple[str, Lines, float | None]]:
        fixed = Fixed(engine, None, FixedOptions(), self._analyzer)
        if key not in self._sides:
            self._sides[key] = fixed.sides(watched.change)
        blobs: dict[str, Lines] = {}
        for function in fixed.functions(self._sides[key]):
            for location in function.of_form(Form.OLD):
                blobs.setdefault(location.blob, Lines(*location.lines))
        yield from ((blob, lines, None) for blob, lines in blobs.items())

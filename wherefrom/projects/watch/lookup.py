"""Finds the contents of an index that have watched code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

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
from wherefrom.projects.watch.screen import windows_of
from wherefrom.projects.watch.watches import Watch, WatchedCode, WatchedPair, WatchedPart
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.judging.rule import STRONG
from wherefrom.queries.searching import holders
from wherefrom.results import Lines
from wherefrom.results.fixed import Form
from wherefrom.support.printable import visible

MOST_BYTES = 4_000_000
"""The most bytes of the files of a commit that is watched, before and after it."""

MOST_PARTS = 10_000
"""The most parts of one watch, which the index keeps in one note."""

_SEARCH = SearchOptions(limit=MOST_GROUPS)


def now() -> str:
    """The time in UTC and ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def watch_of(engine: Engine, name: str, options: WatchOptions, analyzer: Analyzer) -> tuple[Watch, WatchedCode]:
    """Makes a watch of the files or the fix that the options name.

    Raises:
        UsageError: there is nothing to watch for.
        SourceError: the commit cannot be read.
    """
    if (options.fixed is None) == (not options.files):
        raise UsageError("name the files to watch for, or a commit with --fixed COMMIT, and not both")
    own = tuple(options.own)
    if options.fixed is None:
        parts, what = dict(_of_files(options, analyzer)), tuple(options.files or ())
    else:
        fixed = FixedOptions(project=options.project, min_tokens=options.min_tokens)
        change = Fixed(engine, options.fixed, fixed, analyzer)
        checkout = change.checkout()
        own += tuple(sorted(checkout.keys()))
        pairs, words, _ = change.change(checkout)
        parts, what = {words: _of_change(engine, words, list(pairs), fixed, analyzer)}, (words,)
    if len(parts) > MOST_PARTS:
        raise UsageError(f"{name} would have {len(parts):,} parts; make several watches of at most {MOST_PARTS:,}")
    watch = Watch(name, now(), what, options.fixed is not None, options.post, own, tuple(parts))
    windows = windows_of(engine, [part.searches for part in parts.values()])
    return watch, WatchedCode(name, tuple(parts.values()), windows)


def _of_files(options: WatchOptions, analyzer: Analyzer) -> Iterator[tuple[str, WatchedPart]]:
    for path, content in (options.files or {}).items():
        analyzed = analyzer.units(path, encoded(content), options.limits, options.min_tokens, is_piece=True)
        if isinstance(analyzed, SkipReason):
            raise UsageError(f"{visible(path)} cannot be watched for: {analyzed}; name a file with code")
        analysis, units = analyzed
        if not units:
            raise UsageError(
                f"{visible(path)} has no code of {options.min_tokens} tokens; name a file with a longer piece of code"
            )
        for unit in units:
            stream = part(analysis.tokens, unit.begin, unit.end)
            lines = Lines(int(stream.start_lines[0]), int(stream.end_lines[-1]))
            yield f"{path}:{lines}", WatchedPart((encode(stream),))


def _of_change(
    engine: Engine, words: str, pairs: Sequence[Pair], options: FixedOptions, analyzer: Analyzer
) -> WatchedPart:
    fixed = Fixed(engine, None, options, analyzer)
    kept: list[Pair] = []
    searches: list[bytes] = []
    for pair in pairs:
        found = [encode(stream) for stream in _old_code(fixed.sides([pair]), options.min_tokens)]
        kept += [pair] if found else []
        searches += found
    if not kept:
        raise UsageError(f"{words} changed no code that could be watched for; name a commit that changes code")
    size = sum(len(content) for pair in kept for content in (pair.old, pair.new) if isinstance(content, bytes))
    if size > MOST_BYTES:
        raise UsageError(f"the files of {words} have more than {MOST_BYTES:,} bytes; watch for the old code instead")
    return WatchedPart(tuple(searches), tuple(kept))


def _old_code(sides: Sequence[Sides], least: int) -> Iterator[TokenStream]:
    """The code as it was before a change, in pieces that are looked up by themselves."""
    for function in changed_functions(sides):
        for site in sites(function.old, function.new, function.differences):
            if site.old is not None and len(site.old) >= least:
                yield site.old.tokens


class WatchLookup:
    """Looks up parts of watched code. Keeps what it has read of changes."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._sides: dict[tuple[str, int], list[Sides]] = {}

    def pairs(self, engine: Engine, watch: WatchedCode, number: int) -> Iterator[WatchedPair]:
        """The contents of an index that have a part of a watch, given by its number."""
        watched = watch.parts[number]
        if watched.change:
            yield from self._of_change(engine, watch, number)
            return
        found, _ = holders(engine, decode(watched.searches[0]), _SEARCH, least=STRONG)
        for holder in found:
            lines, probability = lines_of(holder.runs, holder.stream), round(holder.probability, 4)
            yield WatchedPair(watch.name, number, holder.blob, lines, probability, now())

    def _of_change(self, engine: Engine, watch: WatchedCode, number: int) -> Iterator[WatchedPair]:
        key, since = (watch.name, number), now()
        fixed = Fixed(engine, None, FixedOptions(), self._analyzer)
        if key not in self._sides:
            self._sides[key] = fixed.sides(watch.parts[number].change)
        blobs: dict[str, Lines] = {}
        for function in fixed.functions(self._sides[key]):
            for location in function.of_form(Form.OLD):
                blobs.setdefault(location.blob, Lines(*location.lines))
        yield from (WatchedPair(watch.name, number, blob, lines, None, since) for blob, lines in blobs.items())


def lines_of(runs: Sequence[MatchedRun], document: TokenStream) -> Lines:
    """The lines of a document from the first of some runs to the last."""
    first = min(int(document.start_lines[run.begin + run.shift]) for run in runs)
    last = max(int(document.end_lines[run.end + run.shift - 1]) for run in runs)
    return Lines(first, last)

"""The calls: adds a watch, lets an indexing run look out for it, copies it, and tells what is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import are_among
from wherefrom.analyzers.tokens import NO_CODE, TokenStream, decode, encode, part
from wherefrom.engines.engine import DocumentFrequencies, Engine, Writer
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import CopyError, NoCode, UsageError
from wherefrom.model import BlobDocument, Candidate, Hashes, Occurrence, Representation, SkipReason
from wherefrom.options import FixedOptions, SearchOptions, WatchOptions
from wherefrom.options.calls import encoded
from wherefrom.options.shared import PostOptions
from wherefrom.projects.changes.comparison import Pair
from wherefrom.projects.fixed.finder import MOST_GROUPS, Fixed
from wherefrom.projects.fixed.functions import changed_functions
from wherefrom.projects.fixed.sites import FileSide, Sides, sites
from wherefrom.projects.watch import watches as stored
from wherefrom.projects.watch.places import WatchedPlace, check_address, mark_reported, places, post_all
from wherefrom.projects.watch.screen import Screen, windows_of
from wherefrom.projects.watch.watches import Watch, WatchedCode, WatchedPair, WatchedPart, watches
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.odds import STRONG, stated
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import QueryWindow
from wherefrom.queries.searching import Holder, holders
from wherefrom.results import Lines
from wherefrom.results.projects import Form
from wherefrom.support.contract import now
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

MOST_BYTES = 4_000_000  # the most bytes of the files of a commit that is watched, before and after it
MOST_PARTS = 10_000  # the most parts of one watch, which the index keeps in one note

KEPT = 2_000
"""The most searches that are kept prepared. One takes about 0.1 MB, and preparing it again some milliseconds."""

_SEARCH = SearchOptions(limit=MOST_GROUPS)
_NO_TERMS: Hashes = np.empty(0, np.uint64)


def watch_of(engine: Engine, name: str, options: WatchOptions, analyzer: Analyzer) -> tuple[Watch, WatchedCode]:
    """Makes a watch of the files or the fix that the options name (`add` has the errors)."""
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
        parts, what = {words: _of_change(change, words, pairs, options.min_tokens)}, (words,)
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
        side = FileSide(path, encoded(content), analysis.tokens, analysis.language, ())
        for unit in units:
            stream = part(analysis.tokens, unit.begin, unit.end)
            lines = Lines(int(stream.start_lines[0]), int(stream.end_lines[-1]))
            name = f" {side.name_of_function(unit.begin, unit.end)}" if unit.is_function else ""
            yield f"{path}:{lines}{name}", WatchedPart((encode(stream),))


def _of_change(fixed: Fixed, words: str, pairs: Iterable[Pair], least: int) -> WatchedPart:
    searches: list[bytes] = []
    kept: list[Pair] = []
    for pair in pairs:
        changed = changed_functions(fixed.sides([pair]))
        parts = [site.old for each in changed for site in sites(each.old, each.new, each.differences)]
        found = [encode(part.tokens) for part in parts if part is not None and len(part) >= least]
        searches += found
        kept += [pair] if found else []
    if not kept:
        raise UsageError(f"{words} changed no code that could be watched for; name a commit that changes code")
    size = sum(len(content) for pair in kept for content in (pair.old, pair.new) if isinstance(content, bytes))
    if size > MOST_BYTES:
        raise UsageError(f"the files of {words} have more than {MOST_BYTES:,} bytes; watch for the old code instead")
    return WatchedPart(tuple(searches), tuple(kept))


class WatchLookup:
    """Looks up parts of watched code. Keeps what it has read of changes."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._sides: dict[tuple[str, int], list[Sides]] = {}

    def pairs(self, engine: Engine, watch: WatchedCode, number: int) -> Iterator[WatchedPair]:
        """The contents of an index that have a part of a watch, given by its number."""
        watched = watch.parts[number]
        if not watched.change:
            found, _ = holders(engine, decode(watched.searches[0]), _SEARCH, least=STRONG)
            yield from (_pair(watch, number, holder.blob, holder, holder.stream) for holder in found)
            return
        key, since = (watch.name, number), now()
        fixed = Fixed(engine, None, FixedOptions(), self._analyzer)
        if key not in self._sides:
            self._sides[key] = fixed.sides(watched.change)
        blobs: dict[str, Lines] = {}
        for function in fixed.functions(self._sides[key]):
            for location in function.of_form(Form.OLD):
                blobs.setdefault(location.blob, Lines(*location.lines))
        yield from (WatchedPair(watch.name, number, blob, lines, None, since) for blob, lines in blobs.items())


def _pair(watch: WatchedCode, number: int, blob: str, found: Holder | Judged, stream: TokenStream) -> WatchedPair:
    """A content with the code of a part, and the lines from the first matching run to the last."""
    runs = found.runs if isinstance(found, Holder) else found.aligned.runs
    first = min(int(stream.start_lines[run.begin + run.shift]) for run in runs)
    last = max(int(stream.end_lines[run.end + run.shift - 1]) for run in runs)
    return WatchedPair(watch.name, number, blob, Lines(first, last), stated(found.probability), now())


class Lookout:
    """Finds which new contents have watched code. Call `found` with contents before they are written."""

    def __init__(self, engine: Engine, watches: Sequence[WatchedCode], analyzer: Analyzer) -> None:
        self._engine, self._watches = engine, watches
        self._weighed = _NewContents(engine, ())
        self._lookup = WatchLookup(analyzer)
        self._screen = Screen([watch.windows for watch in watches])

        @lru_cache(KEPT)
        def judge(watch: int, number: int, search: int) -> Judge:
            tokens = decode(watches[watch].parts[number].searches[search])
            return Judge(prepare(tokens, self._weighed), refused=0)

        self._judge = judge

    def found(self, documents: Sequence[BlobDocument]) -> Iterator[WatchedPair]:
        """The pairs of some new contents."""
        changes: dict[tuple[int, int], dict[int, BlobDocument]] = {}
        for at, watch, number, search in self._screen.suspects(documents):
            document, watched = documents[at], self._watches[watch]
            judged = self._judged(document, self._judge(watch, number, search))
            if judged is not None and watched.parts[number].change:
                changes.setdefault((watch, number), {})[at] = document
            elif judged is not None:
                yield _pair(watched, number, document.stored.blob, judged, judged.document.stream)
        for (watch, number), own in changes.items():
            engine = _NewContents(self._engine, list(own.values()))
            yield from self._lookup.pairs(engine, self._watches[watch], number)

    @staticmethod
    def _judged(document: BlobDocument, judge: Judge) -> Judged | None:
        scores = ((window, _score(window, document)) for window in judge.query.parts)
        found = (
            judge.judge(window, Candidate(score, document.stored), STRONG) for window, score in scores if score > 0
        )
        return max(filter(None, found), key=lambda judged: judged.probability, default=None)


def _score(window: QueryWindow, document: BlobDocument) -> float:
    """The score of a content that is not in the index yet, as `Engine.candidates` would give it."""
    score = 0.0
    for key, weighted in window.terms.items():
        is_there = are_among(np.fromiter(weighted, np.uint64, len(weighted)), document.terms.get(key, _NO_TERMS))
        score += float(np.fromiter(weighted.values(), float, len(weighted))[is_there].sum())
    return score


class _NewContents(MemoryEngine):
    """Contents that are not in an index yet, weighed as if they were."""

    def __init__(self, index: Engine, documents: Sequence[BlobDocument]) -> None:
        super().__init__(index.schemes)
        self._of = index
        with self.writer() as writer:
            writer.add_blobs(replace(found, stored=replace(found.stored, source=None)) for found in documents)
            blobs = (found.stored.blob for found in documents)
            writer.put_occurrences(Occurrence("", blob, blob, "") for blob in blobs)

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        """As in the index with one more content, which has all terms that count."""
        found = self._of.document_frequencies(terms)
        return {
            key: DocumentFrequencies([count + 1 for count in counts], blobs + 1)
            for key, (counts, blobs) in found.items()
        }


def add(engine: Engine, name: str, options: WatchOptions, analyzer: Analyzer) -> list[WatchedPlace]:
    """Adds a watch (`wherefrom.Index.watch` has arguments and errors). Places that have its code by now are not new."""
    if not engine.has_code:
        raise NoCode(NO_CODE)
    if options.post is not None:
        check_address(options.post, options)
    stored.check_name(name)
    if any(watch.name == name for watch in watches(engine)):
        raise UsageError(f"there is a watch {name!r} already; remove it first, or choose another name")
    watch, code = watch_of(engine, name, options, analyzer)
    with engine.writer() as writer:
        stored.put(writer, watch, code)
        look_up(engine, writer, [code], analyzer)
    found = places(engine, [watch])
    mark_reported(engine, found)
    return found


def look_up(engine: Engine, writer: Writer, new: Sequence[WatchedCode], analyzer: Analyzer) -> None:
    """Looks watches up in all that an index has, and notes the places that are not noted yet."""
    lookup = WatchLookup(analyzer)
    for code in new:
        noted = engine.notes(f"pair/{code.name}/")
        for number in range(len(code.parts)):
            for pair in lookup.pairs(engine, code, number):
                if pair.name not in noted:
                    writer.put_note(pair.name, pair.note)


@dataclass(frozen=True, slots=True)
class WatchNews:
    """The new places of watches.

    Attributes:
        places: all of them.
        posted: those that a server took.
        unposted: those of watches without an address.
        warnings: one for each address that could not be posted to.
    """

    places: tuple[WatchedPlace, ...]
    posted: tuple[WatchedPlace, ...]
    unposted: tuple[WatchedPlace, ...]
    warnings: tuple[str, ...]


def news(engine: Engine, names: Sequence[str], options: PostOptions) -> WatchNews:
    """Finds the new places of some watches, or of all, and posts those that are to be posted."""
    chosen = watches(engine, names)
    by_name = {watch.name: watch for watch in chosen}
    new = [place for place in places(engine, chosen) if place.is_new]
    taken, warnings = post_all(new, by_name, options)
    others = [place for place in new if by_name[place.watch].post is None]
    return WatchNews(tuple(new), tuple(taken), tuple(others), tuple(warnings))


@contextmanager
def taking_along(sources: Sequence[Engine], target: Engine, *, replaces: bool) -> Iterator[None]:
    """A block that copies contents. At its end the target has the watches of all indexes and their places, and all that
    it has now is looked up for each. What was reported in one of the indexes is not new. Raises CopyError if two
    indexes watch for different code under one name; if it `replaces`, the watch of the first source is taken.
    """
    indexes = [*sources, target]
    chosen: dict[str, int] = {}
    own: list[dict[str, object]] = []
    for index in indexes:
        found = {watch.name: watch for watch in watches(index)}
        codes = stored.watched_code(index, found)
        own.append({code.name: (replace(found[code.name], since=""), code.parts) for code in codes})
    for number, watched in enumerate(own):
        for name, what in watched.items():
            first = chosen.setdefault(name, number)
            if own[first][name] != what and not replaces:
                raise CopyError(
                    f"{indexes[first].location} and {indexes[number].location} watch for different code under the name "
                    f"{name!r}; --replace takes that of the former, or remove one of them"
                )
    yield
    for name, number in chosen.items():
        if name in own[-1] and own[-1][name] != own[number][name]:
            stored.remove(target, name)
        same = [index for index, theirs in zip(indexes, own, strict=True) if theirs.get(name) == own[number][name]]
        _copy(name, same, target)
    if chosen:
        with closing(Analyzer()) as analyzer, target.writer() as writer:
            look_up(target, writer, stored.watched_code(target, chosen), analyzer)


def _copy(name: str, sources: Sequence[Engine], target: Engine) -> None:
    first = sources[0]
    [watch], [code] = watches(first, [name]), stored.watched_code(first, [name])
    with target.writer() as writer:
        if not target.notes(f"watch/{name}"):
            stored.put(writer, watch, code)
        there = {kind: target.notes(f"{kind}/{name}/") for kind in ("pair", "reported")}
        for kind, own in there.items():
            for source in sources:
                for key, note in stored.stored(source, kind, [name]).items():
                    if key not in own:
                        writer.put_note(key, note)

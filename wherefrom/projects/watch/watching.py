"""The calls: adds a watch, lets an indexing run look out for it, and tells what is new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.tokens import NO_CODE
from wherefrom.engines.engine import Engine, Note, Writer
from wherefrom.errors import NoCode, UsageError
from wherefrom.model import BlobDocument
from wherefrom.options import WatchOptions
from wherefrom.options.shared import PostOptions
from wherefrom.projects.watch import watches as stored
from wherefrom.projects.watch.lookout import Lookout
from wherefrom.projects.watch.lookup import WatchLookup, watch_of
from wherefrom.projects.watch.places import WatchedPlace, mark_reported, places
from wherefrom.projects.watch.posting import check_address, post_all
from wherefrom.projects.watch.watches import WatchedCode, watches


def add(engine: Engine, name: str, options: WatchOptions, analyzer: Analyzer) -> list[WatchedPlace]:
    """Adds a watch (`wherefrom.Index.watch` has arguments and errors). The places that have its code by now are not
    new.
    """
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
        _look_up(engine, writer, [code], analyzer)
    found = places(engine, [watch])
    mark_reported(engine, found)
    return found


def _look_up(engine: Engine, writer: Writer, new: Sequence[WatchedCode], analyzer: Analyzer) -> None:
    """Looks watches up in all that an index has."""
    lookup = WatchLookup(analyzer)
    for code in new:
        for number in range(len(code.parts)):
            for pair in lookup.pairs(engine, code, number):
                writer.put_note(pair.name, pair.note)


@contextmanager
def looking_out(engine: Engine) -> Iterator[Callable[[Sequence[BlobDocument]], dict[str, Note]] | None]:
    """A block that indexes. Gives a function that tells which notes to write before some new contents; None if nothing
    is watched for. Looks up at the end what another process has begun to watch for in the meantime.
    """
    before = {watch.name for watch in watches(engine)} if engine.has_code else set()
    if not before:
        yield None
        return
    with closing(Analyzer()) as analyzer:
        lookout = Lookout(engine, stored.watched_code(engine, before), analyzer)
        yield lambda documents: {pair.name: pair.note for pair in lookout.found(documents)}
        added = {watch.name for watch in watches(engine)} - before
        if added:
            with engine.writer() as writer:
                _look_up(engine, writer, stored.watched_code(engine, added), analyzer)


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
    chosen = [stored.watch_named(engine, name) for name in names] or watches(engine)
    by_name = {watch.name: watch for watch in chosen}
    new = [place for place in places(engine, chosen) if place.is_new]
    taken, warnings = post_all(new, by_name, options)
    others = [place for place in new if by_name[place.watch].post is None]
    return WatchNews(tuple(new), tuple(taken), tuple(others), tuple(warnings))

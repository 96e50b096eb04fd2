"""Takes watches along when contents are copied from some indexes to another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import CopyError
from wherefrom.projects.watch.watches import put, remove, stored, watched_code, watches
from wherefrom.projects.watch.watching import look_up


@contextmanager
def taking_along(sources: Sequence[Engine], target: Engine, *, replaces: bool) -> Iterator[None]:
    """A block that copies contents. At its end the target has the watches of all indexes and their places, and all that
    it has now is looked up for each. What was reported in one of the indexes is not new.

    Raises:
        CopyError: two indexes watch for different code under one name, unless `replaces`; then the watch of the first
            source that has one of this name is taken.
    """
    indexes = [*sources, target]
    chosen: dict[str, int] = {}
    own = [_watched(index) for index in indexes]
    for number, found in enumerate(own):
        for name, what in found.items():
            first = chosen.setdefault(name, number)
            if own[first][name] != what and not replaces:
                raise CopyError(
                    f"{indexes[first].location} and {indexes[number].location} watch for different code under the name "
                    f"{name!r}; --replace takes that of the former, or remove one of them"
                )
    yield
    for name, number in chosen.items():
        if name in own[-1] and own[-1][name] != own[number][name]:
            remove(target, name)
        same = [index for index, found in zip(indexes, own, strict=True) if found.get(name) == own[number][name]]
        _copy(name, same, target)
    if chosen:
        with closing(Analyzer()) as analyzer, target.writer() as writer:
            look_up(target, writer, watched_code(target, chosen), analyzer)


def _watched(index: Engine) -> dict[str, object]:
    """What an index watches for, by the name of the watch."""
    found = watches(index)
    code = {watched.name: watched.parts for watched in watched_code(index, [watch.name for watch in found])}
    return {watch.name: (replace(watch, since=""), code[watch.name]) for watch in found}


def _copy(name: str, sources: Sequence[Engine], target: Engine) -> None:
    """Copies a watch, and its places, if the target lacks them."""
    first = sources[0]
    [watch], [code] = watches(first, [name]), watched_code(first, [name])
    with target.writer() as writer:
        if not target.notes(f"watch/{name}"):
            put(writer, watch, code)
        there = {kind: target.notes(f"{kind}/{name}/") for kind in ("pair", "reported")}
        for kind, own in there.items():
            for source in sources:
                for key, note in stored(source, kind, [name]).items():
                    if key not in own:
                        writer.put_note(key, note)

"""Finds the indexed repositories that a name means: a key, a pattern over keys, or the last part of a key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.model import RepositoryRecord
from wherefrom.sources.repository_urls import comparable, ignores_case, is_key_pattern, key_fits
from wherefrom.support.chunks import by_key
from wherefrom.support.printable import visible

PREFIX = "project:"  # before the name of a repository: all repositories that are one project with it
_SHOWN = 3  # how many keys an error names
_MOST_PARTS = 100  # a key has at most this many slashes in an address


def keys_of(name: str, keys: Collection[str]) -> list[str]:
    """The keys that a name means, in the order of `keys`.

    The name is a key, or a pattern (`*`, `?`) over whole keys, or the last part or parts of one key, such as
    `redis/redis`. Case does not matter for GitHub. Raises UsageError if the name is the last part of several keys.
    """
    if name in keys:
        return [name]
    if found := [key for key in keys if comparable(key) == comparable(name)]:
        return found
    if is_key_pattern(name):
        return [key for key in keys if key_fits(key, name)]
    ending = f"/{name}"
    found = [it for it in keys if it.endswith(ending) or (ignores_case(it) and it.lower().endswith(ending.lower()))]
    if len(found) > 1:
        raise UsageError(f"{name!r} may be {some(found)}; give one of these keys, or the pattern '*/{visible(name)}'")
    return found


def keys_at(engine: Engine, keys: Collection[str]) -> set[str]:
    """The keys of the repositories that have one of some keys, in any case, or were read from there."""
    mine = {key.lower() for key in keys}
    return {key for key in engine.repository_keys() if key.lower() in mine} | {*engine.located(keys)} if keys else set()


def at_address(engine: Engine, address: str) -> tuple[RepositoryRecord, str] | None:
    """The repository that an address `KEY/PATH` is in, and the path: a key has slashes, so the longest key that fits is
    taken. None if no key fits.
    """
    ends = [at for at, character in enumerate(address) if character == "/"][:_MOST_PARTS]
    found = engine.repositories([key for end in (*ends, len(address)) if (key := address[:end])])
    record = max(found, key=lambda record: len(record.key), default=None)
    return None if record is None else (record, address[len(record.key) + 1 :])


def repository(engine: Engine, name: str) -> RepositoryRecord:
    """The one repository that a name means. Raises UnknownRepository or UsageError if the name means no repository, or
    several.
    """
    found = repositories(engine, [name])
    if len(found) > 1:
        keys = [record.key for record in found]
        raise UsageError(f"{name!r} means {len(keys):,} repositories, {some(keys)}; give the key of one")
    return found[0]


def repositories(engine: Engine, names: Iterable[str]) -> list[RepositoryRecord]:
    """All repositories that some names mean, by key. Raises UnknownRepository or UsageError if a name means none, or is
    the last part of several keys.
    """
    names = [*names]
    exact = engine.repositories(names)
    if len(exact) == len({*names}):
        return exact
    keys = engine.repository_keys()
    meant: set[str] = set()
    for name in names:
        found = keys_of(name, keys)
        if not found:
            raise UnknownRepository(missing(name, keys))
        meant.update(found)
    return engine.repositories(meant)


def patterns_of(engine: Engine, names: Iterable[str]) -> tuple[str, ...]:
    """The names as patterns over keys: the last part of a key becomes the key. An unknown name stays as it is. Raises
    UsageError if a name is the last part of several keys.
    """
    keys: list[str] | None = None
    patterns: list[str] = []
    for name in names:
        if is_key_pattern(name) or engine.repository(name) is not None:
            patterns.append(name)
            continue
        if keys is None:
            keys = engine.repository_keys()
        patterns += keys_of(name, keys) or [name]
    return tuple(patterns)


def unmatched(names: Iterable[str], keys: Collection[str]) -> tuple[str, ...]:
    """A sentence for each name that means none of the keys. Raises UsageError if a name is the last part of several
    keys.
    """
    return tuple(missing(name, keys) for name in names if not keys_of(name, keys))


def missing(name: str, keys: Collection[str]) -> str:
    """A sentence for a name that means none of the keys."""
    nearest = [] if is_key_pattern(name) else _nearest(name, keys)
    advice = f"did you mean {some(nearest)}? `wherefrom list` shows all" if nearest else "see `wherefrom list`"
    return f"no repository in the index matches {name!r}; {advice}"


def _nearest(name: str, keys: Iterable[str]) -> list[str]:
    spelled = by_key((word, key) for key in keys for word in {key.lower(), key.lower().rpartition("/")[2]})
    close = get_close_matches(name.lower(), spelled, n=_SHOWN)
    return list(dict.fromkeys(key for word in close for key in spelled[word]))


def some(keys: Sequence[str]) -> str:
    """The first of some keys, in words."""
    shown = [visible(key) for key in keys[:_SHOWN]]
    if len(keys) > _SHOWN:
        shown.append(f"{len(keys) - _SHOWN:,} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"

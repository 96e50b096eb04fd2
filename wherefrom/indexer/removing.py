"""Removes repositories from an index and from its history, and what no repository has any longer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace

from wherefrom.engines.engine import Engine
from wherefrom.errors import IndexBusy
from wherefrom.results import MissingSource


def remove(engine: Engine, keys: Iterable[str]) -> dict[str, int]:
    """Removes repositories with their history; returns the number of files of each, by key."""
    files = {key: sum(1 for _ in engine.occurrences(repository=key)) for key in keys}
    for index in _with_history(engine):
        with index.writer() as writer:
            for key in files:
                writer.delete_occurrences(key)
                writer.delete_repository(key)
            writer.commit()
            # The sweep fails if another process is writing; then a later sweep removes the blobs.
            with suppress(IndexBusy):
                writer.sweep()
    return files


def prune(engine: Engine, sources: Iterable[MissingSource], allowed: Collection[str] | None) -> list[MissingSource]:
    """Removes those repositories (only with the `allowed` keys) whose source is gone, and returns them."""
    gone = [missing for missing in sources if missing.is_gone and (allowed is None or missing.repository in allowed)]
    if gone:
        remove(engine, [missing.repository for missing in gone])
    return [replace(missing, removed=True) for missing in gone]


def sweep(engine: Engine) -> int:
    """Removes the blobs that no repository refers to; returns their number. Raises IndexBusy if others are writing."""
    swept = 0
    for index in _with_history(engine):
        with index.writer() as writer:
            swept += writer.sweep()
    return swept


def _with_history(engine: Engine) -> list[Engine]:
    """An index and its history. The history comes first, so that a stopped removal is done again as a whole."""
    history = engine.history()
    return [engine] if history is None else [history, engine]

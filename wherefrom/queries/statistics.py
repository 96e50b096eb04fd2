"""Counts what an index has."""

from __future__ import annotations

from dataclasses import replace

from wherefrom.analyzers import stamps
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import history_stats
from wherefrom.results import IndexStats
from wherefrom.support import extension


def stats(engine: Engine, *, verify: bool) -> IndexStats:
    """Counts what an index has (`wherefrom.Index.stats` has arguments and errors)."""
    history = engine.history()
    if verify:
        engine.verify()
        if history is not None:
            history.verify()
    counted = engine.stats()
    return replace(
        counted,
        older=stamps.count_older(counted.analyses),
        without_grammar=stamps.count_without_grammar(counted.analyses),
        analyzer=extension.description(),
        history=None if history is None else history_stats(history),
    )

"""Counts what an index has, and tells whether its answers have changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from wherefrom.analyzers import stamps
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import history_stats
from wherefrom.model import BoilerplateSet
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


def index_digest(engine: Engine, sets: Sequence[BoilerplateSet] = ()) -> str:
    """64 hexadecimal digits that change if the answers of an index may change. They are computed from the repositories
    as they were last indexed, the number of contents, and the boilerplate that every query leaves out.
    """
    counts = engine.document_frequencies({representation: [0] for representation in engine.schemes})
    values = (
        sorted(engine.schemes.items()),
        sorted((representation, found.blobs) for representation, found in counts.items()),
        [
            (record.key, record.revision, record.settings, record.files, record.size, sorted(record.analysis.items()))
            for record in engine.repositories()
        ],
    )
    digest = hashlib.sha256(json.dumps(values).encode())
    for boilerplate in sets:
        for representation, hashes in sorted(boilerplate.hashes.items()):
            digest.update(f"{representation} {len(hashes)} ".encode() + hashes.tobytes())
    return digest.hexdigest()

"""Digests of everything in an index or a store of posts, to be compared."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.records import bulk, dump_boilerplate, facts


def digest(values: Iterable[object]) -> str:
    """A digest of the `repr` of some values, in order."""
    running = hashlib.blake2b(digest_size=12)
    for value in values:
        running.update(repr(value).encode("utf-8", "surrogateescape"))
        running.update(b"\n")
    return running.hexdigest()


def index_contents(location: str | Path) -> dict[str, str]:
    """Digests of an index by part, without times. The index is verified first.

    Raises:
        WherefromError: the index cannot be read, or is damaged.
    """
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        engine.verify()
        stats = engine.stats()
        sets = [engine.boilerplate(name) for name in engine.boilerplate_names()]
        occurrences = sorted((at.repository, at.path, at.blob, at.revision) for at in engine.occurrences())
        return {
            "repositories": digest(replace(record, indexed_at="") for record in engine.repositories()),
            "occurrences": digest(occurrences),
            "blobs": digest(sorted((blob.blob, facts(blob), bulk(blob)) for blob in engine.stored_blobs())),
            "sets": digest(dump_boilerplate(boilerplate) for boilerplate in sets if boilerplate is not None),
            "counts": repr((stats.repositories, stats.blobs, stats.occurrences, stats.size, stats.tokens)),
        }


def dangling(location: str | Path) -> list[str]:
    """The parts that an index refers to but does not have. There must be none, wherever its writer was stopped."""
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        engine.verify()
        occurrences = list(engine.occurrences())
        blobs = {at.blob for at in occurrences}
        files = {record.key: record.files for record in engine.repositories()}
        missing = blobs - engine.known(blobs)
        unknown = {at.repository for at in occurrences} - files.keys()
    faults = [f"{len(missing)} contents of files are missing"] if missing else []
    return faults + ([f"files of repositories that are not listed: {sorted(unknown)}"] if unknown else [])


def store_contents(path: Path) -> dict[str, str]:
    """Digests of a store of posts by table, without its random identity and the count of its changes."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        tables = {
            "sites": "SELECT host FROM site ORDER BY host",
            "questions": "SELECT number, tags FROM question ORDER BY number",
            "blocks": "SELECT post.number, created, license, block.number, labels, text "
            "FROM block JOIN post ON post.id = block.post ORDER BY post.number, block.number",
            "dumps": "SELECT digest, only_tags, position, done FROM dump ORDER BY digest",
            "integrity": "PRAGMA integrity_check",
        }
        return {name: digest(connection.execute(query)) for name, query in tables.items()}

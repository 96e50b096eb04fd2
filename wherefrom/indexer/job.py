"""What the steps of an indexing run share: its options and helpers, its counts, and the sources under way."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from wherefrom.engines.engine import Engine, Note
from wherefrom.indexer.ledger import ContentKey, Ledger
from wherefrom.indexer.pace import Pace
from wherefrom.indexer.renewal import Renewal, Stale
from wherefrom.model import BlobDocument, RepositoryRecord, SkipReason
from wherefrom.options import IndexOptions
from wherefrom.sources.source import Source

Seen: TypeAlias = "Callable[[Sequence[BlobDocument]], Mapping[str, Note]]"
"""Tells which notes a run writes together with some new contents."""


@dataclass(slots=True)
class RunCounts:
    """Counts of a run, as in `IndexProgress` and `IndexReport`. `retired` counts removed and replaced occurrences."""

    files: int = 0
    files_total: int = 0
    parsed: int = 0
    parsed_bytes: int = 0
    known: int = 0
    renewed: int = 0
    retired: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    without_grammar: Counter[str] = field(default_factory=Counter)

    def count_known(self) -> None:
        """Counts a file whose content the index already has."""
        self.files += 1
        self.known += 1

    def count_skipped(self, reason: SkipReason) -> None:
        """Counts a file that is not indexed."""
        self.files += 1
        self.skipped[reason] += 1


@dataclass(slots=True, eq=False)
class RepositoryRun:
    """What a run knows about one of its sources.

    Attributes:
        record: the stored record of its last run.
        before: the blob at each path in the index; loaded when it is first needed.
        stale: its blobs that are to be analyzed again, and why.
        occurrences: path, blob and bytes of each file that is indexed, unless its content is refused.
        skipped: path and reason of each file that is not indexed.
        authored: the blobs of the files that it declares authored (see `Entry`).
        unreadable: the blobs that cannot be read from it, and why. Another source may have them.
        waiting: the number of its contents that the workers have not finished.
        kept: the number of its stale blobs that could not be analyzed again; the next run tries again.
        is_same: True if its source is in the state of its last run.
        is_unchanged: True if nothing needs to be done for it except a report.
    """

    source: Source
    record: RepositoryRecord | None = None
    before: dict[str, str] | None = None
    stale: dict[str, Stale] = field(default_factory=dict)
    occurrences: list[tuple[str, str, int]] = field(default_factory=list)
    skipped: list[tuple[str, SkipReason]] = field(default_factory=list)
    authored: set[str] = field(default_factory=set)
    unreadable: dict[str, SkipReason] = field(default_factory=dict)
    waiting: int = 0
    parsed: int = 0
    renewed: int = 0
    kept: int = 0
    listed: bool = False
    error: str | None = None
    is_same: bool = False
    is_unchanged: bool = False


class Job:
    """What every step of a run needs to know.

    Attributes:
        settings: a digest of the options that decide what is indexed.
        limits: the limits that decide which files are skipped, by whether the file is declared authored.
    """

    def __init__(
        self, engine: Engine, options: IndexOptions, pace: Pace, *, is_compressed: bool, seen: Seen | None
    ) -> None:
        self.seen = seen
        self.engine, self.options, self.pace, self.is_compressed = engine, options, pace, is_compressed
        names = ("include_generated", "include_data", "max_file_size", "parse_seconds", "parse_memory", "keep_source")
        values = tuple(getattr(options, name) for name in names)
        if options.fingerprints_only:
            values += ("fingerprints_only",)
        self.settings = hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()
        self.tally = RunCounts()
        self.ledger: Ledger[RepositoryRun] = Ledger(engine.known)
        self.renewal = Renewal(engine, wanted=options.renew)
        self.limits = {False: options.limits, True: replace(options.limits, include_generated=True)}

    def content(self, repository: RepositoryRun, blob: str) -> ContentKey:
        """The key of a repository's blob in the ledger."""
        return ContentKey(blob, self.limits[False].include_generated or blob in repository.authored)

    def before(self, key: str) -> dict[str, str]:
        """The blob at each path of a repository in the index."""
        return {file.path: file.blob for file in self.engine.occurrences(repository=key)}

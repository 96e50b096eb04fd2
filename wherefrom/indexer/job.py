"""What the steps of an indexing run share: its options and helpers, its counts, and the sources under way."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace

from wherefrom.engines.engine import Engine
from wherefrom.indexer.ledger import ContentKey, Ledger
from wherefrom.indexer.pace import Pace
from wherefrom.indexer.renewal import Renewal, Stale
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import IndexOptions, Limits
from wherefrom.sources.source import Source


@dataclass(slots=True)
class Tally:
    """The counts of a run, as `IndexProgress` and `IndexReport` have them; `retired` occurrences wait for a sweep."""

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
        """Counts a file whose content the index has already."""
        self.files += 1
        self.known += 1

    def count_skipped(self, reason: SkipReason) -> None:
        """Counts a file that is not indexed."""
        self.files += 1
        self.skipped[reason] += 1


@dataclass(slots=True, eq=False)
class Repository:
    """A source under way.

    Attributes:
        record: of its last run.
        before: the blob at each path in the index, once it was asked for.
        stale: its blobs that are to be renewed.
        occurrences: path, blob and bytes of each file that is indexed, unless its content is refused.
        skipped: the path and the reason of each file that is not.
        authored: the blobs that it declares authored.
        unreadable: the blobs that it cannot read; another source may.
        waiting: counts its contents that are with the workers.
        kept: counts its stale blobs that could not be renewed; the next run tries again.
        is_same: whether its source is in the state in which it was indexed last.
        is_unchanged: whether there is nothing to be done but to report it.
    """

    source: Source
    record: RepositoryRecord | None = None
    before: dict[str, str] | None = None
    stale: Stale = field(default_factory=Stale)
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
    """What every step of a run needs to know; `settings` is a digest of what decides what is indexed."""

    def __init__(self, engine: Engine, options: IndexOptions, pace: Pace, *, is_compressed: bool) -> None:
        self.engine, self.options, self.pace, self.is_compressed = engine, options, pace, is_compressed
        self.settings = _digest(options)
        self.tally = Tally()
        self.ledger: Ledger[Repository] = Ledger(engine.known)
        self.renewal = Renewal(engine, wanted=options.renew)
        self._limits = options.limits
        self._authored_limits = replace(options.limits, include_generated=True)

    def limits(self, *, authored: bool = False) -> Limits:
        """Which files are skipped."""
        return self._authored_limits if authored else self._limits

    def content(self, repository: Repository, blob: str) -> ContentKey:
        """A blob of a repository, as the ledger has it."""
        return ContentKey(blob, self._limits.include_generated or blob in repository.authored)

    def before(self, key: str) -> dict[str, str]:
        """The blob at each path of a repository, as the index has it."""
        return {file.path: file.blob for file in self.engine.occurrences(repository=key)}


def _digest(options: IndexOptions) -> str:
    """Changes with whatever the user set that decides what is indexed."""
    names = ("include_generated", "include_data", "max_file_size", "parse_seconds", "parse_memory", "keep_source")
    values = tuple(getattr(options, name) for name in names)
    return hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()

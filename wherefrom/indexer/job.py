"""What the steps of an indexing run share: its options, its counts and pace, and the sources and contents under way."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from wherefrom.analyzers import stamps
from wherefrom.analyzers.containers import CONTAINERS
from wherefrom.analyzers.guessing import guess, read_as
from wherefrom.engines.engine import Engine, Note
from wherefrom.languages import LANGUAGES
from wherefrom.model import BlobDocument, RepositoryRecord, SkipReason
from wherefrom.options import IndexOptions
from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.source import Source, found_path
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass, field, replace

Seen: TypeAlias = "Callable[[Sequence[BlobDocument]], Mapping[str, Note]]"
"""Tells which notes a run writes together with some new contents."""


Owner = TypeVar("Owner")


class ContentKey(NamedTuple):
    """A blob, and whether it is analyzed even if it looks generated, because the user wants generated files or the
    repository declares the file authored. So one blob may be refused for one repository and indexed for another.

    A run may take on a blob once more, when it finds a name that adds a language to it: `again`.
    """

    blob: str
    is_authored: bool
    again: str = ""

    @property
    def first(self) -> ContentKey:
        """The blob as the run took it on first."""
        return self._replace(again="") if self.again else self


class Ledger(Generic[Owner]):
    """Makes an indexing run read, analyze and write each content only once in a language.

    A content is in one of these states: free (nobody has taken it on, or it was committed); unread, and claimed by an
    owner; with the workers; written, and not yet committed; refused for the rest of the run. `analyses` takes blobs,
    and returns the analysis stamps of those that the index has.
    """

    def __init__(self, analyses: Callable[[Collection[str]], Mapping[str, str]]) -> None:
        self._analyses = analyses
        self._taken: dict[ContentKey, frozenset[str]] = {}
        """The languages of the contents that are unread, with the workers, or written."""
        self._unread: dict[ContentKey, Owner] = {}
        self._working: dict[ContentKey, Owner] = {}
        self._written: set[ContentKey] = set()
        self._refused: dict[ContentKey, SkipReason] = {}

    def claim(
        self, contents: Mapping[ContentKey, Iterable[str]], owner: Owner, stale: Container[str] = ()
    ) -> dict[ContentKey, str | None]:
        """Claims for `owner` the contents that are `stale` or that the index lacks, unless they are taken. Claims
        those as well that were taken, or are in the index, without one of the languages that their names add
        (`read_as`). Returns what is claimed, with the stamps of the latter.
        """
        free = {}
        for content, languages in contents.items():
            taken = self._taken.get(content)
            if content not in self._refused and (taken is None or read_as(taken.union(languages)) != taken):
                free[content] = languages
        known = self._analyses({content.blob for content in free})
        claimed: dict[ContentKey, str | None] = {}
        for content, languages in free.items():
            before = self._taken.get(content)
            stamp = known.get(content.blob) if before is None else _stamp_of(before)
            there = frozenset(stamps.named(stamp)) if stamp is not None else frozenset()
            wanted = read_as(there.union(languages))
            if stamp is None or content.blob in stale or wanted != there:
                key = content if before is None else content._replace(again=" ".join(sorted(wanted)))
                claimed[key] = stamp if wanted != there else None
                self._taken[content], self._unread[key] = wanted, owner
        return claimed

    def release(self, content: ContentKey) -> None:
        """Gives up a content if it is unread: another owner may claim it."""
        if self._unread.pop(content, None) is not None and not content.again:
            self._taken.pop(content, None)

    def release_all(self, owner: Owner) -> None:
        """Gives up all contents of an owner that are unread."""
        for content in [content for content, other in self._unread.items() if other is owner]:
            self.release(content)

    def hand_over(self, content: ContentKey) -> frozenset[str]:
        """Records that an unread content was read and goes to the workers; returns the languages of its names."""
        self._working[content] = self._unread.pop(content)
        return self._taken.get(content.first, frozenset())

    def write(self, content: ContentKey) -> Owner:
        """Records that a content came from the workers and was written; returns its owner."""
        owner = self._working.pop(content)
        self._written.add(content)
        return owner

    def refuse(self, content: ContentKey, reason: SkipReason) -> Owner:
        """Records that a content is refused for the rest of the run; returns its owner. The content was with the
        workers, or was unread if an earlier run refused it.
        """
        owner = (self._unread if content in self._unread else self._working).pop(content)
        self._taken.pop(content, None)
        self._refused[content] = reason
        return owner

    def refusal(self, content: ContentKey) -> SkipReason | None:
        """Why a content was refused; None if it was not."""
        return self._refused.get(content.first)

    @property
    def has_refused(self) -> bool:
        """Whether any content was refused."""
        return bool(self._refused)

    def commit(self) -> None:
        """Forgets the written contents: the index has them now."""
        for content in self._written:
            self._taken.pop(content.first, None)
        self._written.clear()

    def forget_refused(self, most: int, needed: Callable[[], Container[ContentKey]]) -> None:
        """Forgets refused contents beyond `most`, except `needed` ones. They are read again if they appear later."""
        if len(self._refused) > most:
            kept = needed()
            self._refused = {content: reason for content, reason in self._refused.items() if content in kept}


def _stamp_of(languages: frozenset[str]) -> str:
    first, *others = sorted(languages)
    return stamps.stamp(first, others=tuple(others))


class Pace:
    """Measures the progress of a run by the bytes of contents that it reads.

    The bytes of a source that is not listed yet are estimated from its size on disk, by the ratio of the two in the
    listed sources. They differ, since a clone has history as well, and known contents are not read again.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self._disk = {source.key: _disk_bytes(source) for source in sources}
        sizes = [size for size in self._disk.values() if size]
        self._usual = sum(sizes) / len(sizes) if sizes else 1.0
        self._listed_disk = 0.0
        self._listed = self._done = 0

    def list(self, key: str, contents: int) -> None:
        """Notes how many bytes of a source are to be read; only the first call for a source counts."""
        if key in self._disk:
            self._listed_disk += self._disk.pop(key) or self._usual
            self._listed += contents

    def finish(self, contents: int) -> None:
        """Notes that this many more bytes are done."""
        self._done += contents

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1."""
        rate = self._listed / self._listed_disk if self._listed_disk else 0.0
        total = self._listed + rate * sum(size or self._usual for size in self._disk.values())
        return min(self._done / total, 1.0) if total else 0.0


def _disk_bytes(source: Source) -> int:
    """The bytes on disk of a clone's packs or of an archive; 0 for a folder, and for a URL that is not fetched yet."""
    place = found_path(source.location) if source.kind in {"git", "archive"} else None
    with suppress(OSError, ValueError):
        if place is not None and source.kind == "archive":
            return place.stat().st_size
        if place is not None and (directory := git_dir(place)) is not None:
            return sum(entry.stat().st_size for entry in os.scandir(directory / "objects" / "pack"))
    return 0


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
    unparsed: list[tuple[str, str]] = field(default_factory=list)

    def count_known(self) -> None:
        """Counts a file whose content the index already has."""
        self.files += 1
        self.known += 1

    def count_skipped(self, reason: SkipReason) -> None:
        """Counts a file that is not indexed."""
        self.files += 1
        self.skipped[reason] += 1


COSTLY = frozenset({SkipReason.PARSE_TIMEOUT, SkipReason.WORKER_DIED})
"""Skip reasons that take seconds to find out. So the index remembers contents that were refused for one of them."""


class Stale(NamedTuple):
    """Why an indexed blob is analyzed again: an older version made its analysis, which has this `stamp`, or a file name
    of it adds a language to it (`again` is as in `ContentKey`). Or it may have code in one of the new `languages`.
    """

    stamp: str
    languages: frozenset[str] | None = None
    again: str = ""


@dataclass(slots=True, eq=False)
class RepositoryRun:
    """What a run knows about one of its sources."""

    source: Source
    record: RepositoryRecord | None = None  # the stored record of its last run
    before: dict[str, str] | None = None  # the blob at each path in the index; loaded when it is first needed
    stale: dict[str, Stale] = field(default_factory=dict)  # its blobs that are to be analyzed again, and why
    # path, blob and bytes of each file that is indexed, unless its content is refused
    occurrences: list[tuple[str, str, int]] = field(default_factory=list)
    # path and reason of each file that is not indexed
    skipped: list[tuple[str, SkipReason]] = field(default_factory=list)
    authored: set[str] = field(default_factory=set)  # the blobs of the files that it declares authored (see `Entry`)
    # the blobs that cannot be read from it, and why. Another source may have them
    unreadable: dict[str, SkipReason] = field(default_factory=dict)
    waiting: int = 0  # the number of its contents that the workers have not finished
    parsed: int = 0
    renewed: int = 0
    kept: int = 0  # the number of its stale blobs that could not be analyzed again; the next run tries again
    listed: bool = False
    error: str | None = None
    is_same: bool = False  # True if its source is in the state of its last run
    is_unchanged: bool = False  # True if nothing needs to be done for it except a report


class Renewal:
    """Finds what one run analyzes again. A language is new to a repository if it was not in the table of languages when
    the repository was last indexed. (If only its grammar was missing, the stamps of the contents are older.)
    """

    def __init__(self, engine: Engine, *, wanted: bool) -> None:
        self._engine = engine
        self._wanted = wanted
        self._older = frozenset(filter(stamps.is_older, engine.count_analyses())) if wanted else frozenset()

    @cached_property
    def _new_to_some(self) -> frozenset[str]:
        found = (stamps.new_languages(record.analysis) for record in self._engine.repositories())
        return frozenset().union(*found)

    def is_due(self, record: RepositoryRecord) -> bool:
        """True if an installed component is newer than when a repository was last indexed."""
        return self._wanted and stamps.is_behind(record.analysis)

    def lists_again(self, record: RepositoryRecord) -> bool:
        """True if skipped files might be indexed now, so that the source has to be listed again."""
        has_costly = not COSTLY.isdisjoint(record.skipped)
        return self.is_due(record) and (has_costly or stamps.has_newer_rules(record.analysis))

    def stale(self, record: RepositoryRecord | None, files: Iterable[tuple[str, str]]) -> dict[str, Stale]:
        """The blobs that an upgrade concerns, by id, among files of a repository given as (path, blob). `record` is
        None if the repository is not in the index.
        """
        if not self._wanted or not (self._older or self._new_to_some):
            return {}
        paths = by_key((blob, path) for path, blob in files)
        new = self._new_to_some if record is None else stamps.new_languages(record.analysis)
        claims = tuple(claim.ending for name in new for claim in LANGUAGES[name].claims)
        found: dict[str, Stale] = {}
        for blob, stamp in self._engine.analyses(paths).items():
            if stamp in self._older:
                found[blob] = Stale(stamp)
            elif not stamps.is_newer(stamp, stamps.installed()):
                named = {guess(path, b"") for path in paths[blob]}
                is_claimed = any(path.lower().endswith(claims) for path in paths[blob])
                if not named.isdisjoint(self._new_to_some - stamps.languages(stamp)):
                    found[blob] = Stale(stamp)
                elif new and (is_claimed or not named.isdisjoint({"text", *CONTAINERS})):
                    found[blob] = Stale(stamp, new)
        return found


class Job:
    """What every step of a run needs to know.

    Attributes:
        settings: a digest of the options that decide what is indexed.
        limits: the limits that decide which files are skipped, by whether the file is declared authored.
    """

    def __init__(self, engine: Engine, options: IndexOptions, pace: Pace, *, is_kept: bool, seen: Seen | None) -> None:
        self.seen = seen
        self.engine, self.options, self.pace, self.is_kept = engine, options, pace, is_kept
        names = ("include_generated", "include_data", "max_file_size", "parse_seconds", "parse_memory", "keep_source")
        values = tuple(getattr(options, name) for name in names)
        if options.fingerprints_only:
            values += ("fingerprints_only",)
        self.settings = hashlib.blake2b(repr(values).encode(), digest_size=6).hexdigest()
        self.tally = RunCounts()
        self.ledger: Ledger[RepositoryRun] = Ledger(engine.analyses)
        self.renewal = Renewal(engine, wanted=options.renew)
        self.limits = {False: options.limits, True: replace(options.limits, include_generated=True)}

    def content(self, repository: RepositoryRun, blob: str) -> ContentKey:
        """The key of a repository's blob in the ledger."""
        again = stale.again if (stale := repository.stale.get(blob)) else ""
        return ContentKey(blob, self.limits[False].include_generated or blob in repository.authored, again)

    def refusal(self, repository: RepositoryRun, blob: str) -> SkipReason | None:
        """Why a repository's blob was refused; None if it was not."""
        return self.ledger.refusal(self.content(repository, blob)) if self.ledger.has_refused else None

    def before(self, key: str) -> dict[str, str]:
        """The blob at each path of a repository in the index."""
        return {file.path: file.blob for file in self.engine.occurrences(repository=key)}

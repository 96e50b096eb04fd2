"""An indexing run, and the counts over an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from wherefrom.model import TERM_BITS, Representation, SkipReason
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far an indexing run is; given to the caller's `progress` a few times a second.

    `files` of `files_total` were dealt with (the total grows as repositories are listed; it counts the repositories
    listed so far), `parsed` of them were new and analysed (`parsed_bytes` of content), `known` were in the index
    already. `share` is an estimate of how much of the run is done, 0 to 1, by the bytes of its sources.
    """

    repository: str
    repositories: int
    repositories_total: int
    files: int
    files_total: int
    parsed: int
    parsed_bytes: int
    known: int
    skipped: Mapping[SkipReason, int]
    seconds: float
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class SkippedFile(JsonObject):
    """A file that was not indexed.

    Attributes:
        repository: the key of its repository.
        path: as in `wherefrom.model`.
        reason: why.
    """

    repository: str
    path: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class RepositoryReport(JsonObject):
    """What an indexing run did with one source.

    Attributes:
        key: of the repository.
        status: `indexed`, `unchanged`, `renewed` (unchanged but for blobs that were renewed) or `failed`.
        revision: that is indexed now; empty if it failed.
        files: its occurrences now.
        parsed: its blobs that were new to the index.
        known: occurrences of blobs that were not.
        retired: occurrences that are gone.
        skipped: files that were not indexed, by reason.
        error: one line if it failed.
        renewed: its blobs that were analyzed again since their analysis was older.
        kept: its blobs whose older analysis was kept, since they could not be read or analyzed again.
    """

    JSON = "repository=key status revision files parsed known retired +skipped error renewed kept"

    key: str
    status: str
    revision: str
    files: int = 0
    parsed: int = 0
    known: int = 0
    retired: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None
    renewed: int = 0
    kept: int = 0


LeftOutKind: TypeAlias = Literal["duplicate", "folder", "archive", "submodule"]
"""What was left out of a run: another source with a key that is indexed; a folder (a plain one among clones, one that
cannot be read, a link to a clone, or a repository in a plain folder); an archive in a plain folder, or a link to one; a
submodule that is not at hand.
"""


@dataclass(frozen=True, slots=True)
class LeftOut(JsonObject):
    """What was found among the sources of an indexing run and is not indexed, though nothing failed.

    Attributes:
        location: its absolute path, or its URL.
        kind: what it is.
        reason: why it is left out, and what to do where that may not be meant; one line.
        repository: the repository key that it has in common with another source; None where that is not the reason.
        instead: the location of that other source, which is indexed.
    """

    location: str
    kind: LeftOutKind
    reason: str
    repository: str | None = None
    instead: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class IndexReport(JsonDocument):
    """The whole run.

    Attributes:
        repositories: what became of each source; last those that were not there or cannot be used, under the name that
            was given for them.
        parsed: blobs that were new to the index.
        parsed_bytes: bytes of these and of the renewed ones.
        swept: blobs removed because nothing refers to them any longer.
        seconds: how long it took.
        interrupted: whether the run was stopped early; what was finished is in the index.
        renewed: blobs that were analyzed again since their analysis was older.
        without_grammar: blobs analyzed as text because the grammar of their language is not installed, by language.
        warnings: what may not be meant, such as a clone that is read from outside of what was named; one line each.
        left_out: what was found among the sources and is not indexed, though nothing failed.
        clone_bytes: what the clones of URLs of this run take on the disk at its end.
        discarded_clones: how many clones of URLs were removed (`IndexOptions.discard_clones`).
        discarded_bytes: what these took on the disk.
    """

    JSON = (
        "repositories parsed parsed_bytes swept seconds interrupted renewed +without_grammar warnings left_out "
        "clone_bytes discarded_clones discarded_bytes"
    )

    repositories: tuple[RepositoryReport, ...]
    parsed: int
    parsed_bytes: int
    swept: int
    seconds: float
    interrupted: bool = False
    renewed: int = 0
    without_grammar: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    clone_bytes: int = 0
    discarded_clones: int = 0
    discarded_bytes: int = 0

    def __repr__(self) -> str:
        statuses = Counter(repository.status for repository in self.repositories)
        counts = "".join(f"{visible(status)}={number} " for status, number in sorted(statuses.items()))
        return f"<IndexReport {counts}parsed={self.parsed}{' interrupted' if self.interrupted else ''}>"


@dataclass(frozen=True, slots=True, repr=False)
class IndexStats(JsonDocument):
    """Counts over an index.

    Attributes:
        size: bytes of source over distinct blobs.
        languages: blobs of each language.
        analyses: how many blobs carry each analysis stamp.
        skipped: as in `RepositoryRecord`.
        stored: bytes on disk, None if unknown.
        older: for each language that has some, blobs whose analysis is older than what is installed here.
        without_grammar: blobs with code that was read as text since its grammar was not installed, by language.
        analyzer: what analyzes code here, and so what is indexed next: the native kernel or Python.
        term_bits: bits of a term that are stored.
    """

    JSON = (
        "engine location index_format=format schemes term_bits repositories occurrences blobs size tokens "
        "+languages +skipped stored +older +without_grammar analyzer"
    )

    engine: str
    location: str
    format: int
    schemes: Mapping[Representation, str]
    repositories: int
    occurrences: int
    blobs: int
    size: int
    tokens: int
    languages: Mapping[str, int]
    analyses: Mapping[str, int]
    skipped: Mapping[str, int]
    stored: int | None
    older: Mapping[str, int] = field(default_factory=dict)
    without_grammar: Mapping[str, int] = field(default_factory=dict)
    analyzer: str = ""
    term_bits: int = TERM_BITS

    def __repr__(self) -> str:
        return (
            f"<IndexStats {visible(self.location)!r} repositories={self.repositories} "
            f"occurrences={self.occurrences} blobs={self.blobs} tokens={self.tokens}>"
        )

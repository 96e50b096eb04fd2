"""What the history of an index stores. It is a second index beside the first one (`Engine.history`), of the same kind.

| path of an occurrence | its blob |
| --- | --- |
| `0000123/src/a.py` | a piece: what commit 123 of the repository brought to the file (`analyzers.pieces`) |
| `lines/src/a.py` | for each line of the file, the commits that it comes from (`LineAges`), as the text of the blob |
| `commits/0` | the facts of commits 0 to 511 (`StoredCommit`), as the text of the blob |

The blobs of lines and commits have no tokens. Their ids are digests of their names, so they are read without a listing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.kernel import stored_terms
from wherefrom.engines import records
from wherefrom.engines.engine import Engine
from wherefrom.errors import IndexDamaged
from wherefrom.model import Hashes, Occurrence, Representation
from wherefrom.results import HistoryStats

LINES, COMMITS = "lines", "commits"

TOGETHER = 512
"""The facts of this many commits are stored together."""

MOST_PIECES = 300
"""The terms of at most this many pieces are compared at a time: those with most of the asked terms."""

KEPT = 200
"""A reader keeps about this many times `TOGETHER` commits."""


@dataclass(frozen=True, slots=True)
class StoredCommit:
    """The facts of a commit.

    Attributes:
        number: its place on the line of commits, from 0 (`sources.history`).
        id: its object id.
        authored, committed: its dates, in seconds since 1970.
        tag: the oldest tag that contains it; None if no tag does.
        is_merge: whether it has several parents.
        doubts: why its date may not be that of the code: values of `results.Doubt`.
    """

    number: int
    id: str
    authored: int
    committed: int
    tag: str | None
    is_merge: bool
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineAges:
    """The commits that the lines of a file come from, by number.

    Attributes:
        blob: the id of the content that has these lines.
        firsts: for each line, the commit that began it: lines that replace others inherit their oldest beginning.
        lasts: for each line, the commit that wrote it as it is.
    """

    blob: str
    firsts: NDArray[np.int32]
    lasts: NDArray[np.int32]

    def of(self, ranges: Iterable[tuple[int, int]]) -> tuple[int, int, int] | None:
        """For some lines (first and last, 1-based, inclusive): the oldest of the first commits, the commit since which
        at least half of the lines are as they are, and the one since which all are. None if the file is empty.
        """
        end = len(self.firsts)  # lines behind it are those of a binary file, which has one age
        chosen = [slice(max(min(first, end) - 1, 0), last) for first, last in ranges]
        firsts = np.concatenate([self.firsts[lines] for lines in chosen]) if chosen else self.firsts
        lasts = np.concatenate([self.lasts[lines] for lines in chosen]) if chosen else self.lasts
        if not len(firsts):
            return None
        return int(firsts.min()), int(np.sort(lasts)[(len(lasts) - 1) // 2]), int(lasts.max())

    def dump(self) -> bytes:
        """The ages as JSON: the blob, and the lengths and the commits of runs of lines."""
        pairs = np.stack((self.firsts, self.lasts))
        begins = np.flatnonzero(np.r_[True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0)][: pairs.shape[1]])
        lengths = np.diff(begins, append=pairs.shape[1])
        values = [self.blob, lengths.tolist(), *pairs[:, begins].tolist()]
        return json.dumps(values, separators=(",", ":")).encode("ascii")

    @staticmethod
    def load(stored: bytes) -> LineAges:
        """The reverse of `dump`."""
        blob, lengths, *columns = json.loads(stored)
        firsts, lasts = (np.repeat(np.array(column, np.int32), np.array(lengths, np.int64)) for column in columns)
        return LineAges(str(blob), firsts, lasts)


def dump_commits(commits: Iterable[StoredCommit]) -> bytes:
    """Commits as JSON."""
    return json.dumps([astuple(commit) for commit in commits], separators=(",", ":")).encode("ascii")


def load_commits(stored: bytes) -> list[StoredCommit]:
    """The reverse of `dump_commits`."""
    return [
        StoredCommit(number, commit, authored, committed, tag, is_merge, tuple(doubts))
        for number, commit, authored, committed, tag, is_merge, doubts in json.loads(stored)
    ]


def piece_path(number: int, path: str) -> str:
    """The path of the occurrence of a piece that commit `number` brought to a file."""
    return f"{number:07}/{path}"


def piece_place(occurrence: Occurrence) -> tuple[int, str] | None:
    """The number of the commit and the path of the file of a piece; None if the occurrence is not that of a piece."""
    number, _, path = occurrence.path.partition("/")
    return (int(number), path) if number.isdecimal() else None


def commits_path(number: int) -> str:
    """The path of the occurrence of the blob with the facts of a commit."""
    return f"{COMMITS}/{number // TOGETHER}"


def lines_blob(repository: str, path: str) -> str:
    """The id of the blob with the ages of a file's lines."""
    return records.digest(LINES, repository, path)


def commits_blob(repository: str, number: int) -> str:
    """The id of the blob with the facts of a commit."""
    return records.digest(COMMITS, repository, str(number // TOGETHER))


def history_stats(history: Engine) -> HistoryStats:
    """Counts of the history of an index."""
    records = history.repositories()
    return HistoryStats(len(records), sum(record.files for record in records), history.stats().stored)


class Holding(NamedTuple):
    """A piece in a repository, and which of some terms it has."""

    number: int
    path: str
    has: NDArray[np.bool_]


class HistoryReader:
    """Reads ages and commits from the history of an index. It keeps commits until `refresh`, or until it has read the
    ages of lines from a later version of the index.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._commits: dict[str, dict[int, StoredCommit]] = {}
        self._version: object | None = None

    def refresh(self) -> None:
        """Forgets what another commit to the index may have changed."""
        self._commits.clear()

    def lines(self, places: Sequence[tuple[str, str]]) -> list[LineAges | None]:
        """The ages of the lines of some files, each given as repository and path; None for unknown files."""
        ids = [lines_blob(repository, path) for repository, path in places]
        texts = self._texts(ids)
        return [LineAges.load(texts[blob]) if blob in texts else None for blob in ids]

    def holdings(self, terms: Mapping[Representation, Hashes]) -> dict[str, list[Holding]]:
        """The pieces that have any of some terms, by repository, the oldest first. `Holding.has` is in the order of the
        terms, one representation behind the other.
        """
        weights = {kind: dict.fromkeys(own.tolist(), 1.0) for kind, own in terms.items()}
        has = {}
        for piece in self.engine.candidates(weights, limit=MOST_PIECES):
            theirs = stored_terms(piece.blob.tokens)
            has[piece.blob.blob] = np.concatenate([np.isin(own, theirs.get(kind, ())) for kind, own in terms.items()])
        found: dict[str, list[Holding]] = {}
        for at in self.engine.occurrences(blobs=has) if has else ():
            if (place := piece_place(at)) is not None:
                found.setdefault(at.repository, []).append(Holding(*place, has[at.blob]))
        return {key: sorted(pieces, key=lambda it: it[:2]) for key, pieces in found.items()}

    def commits(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], StoredCommit]:
        """The facts of some commits, each given as repository and number. Unknown commits are left out."""
        keys = {(repository, number): commits_blob(repository, number) for repository, number in wanted}
        if self.engine.version != self._version or len(self._commits) > KEPT:
            self._version = self.engine.version
            self._commits.clear()
        missing = {blob for blob in keys.values() if blob not in self._commits}
        texts = self._texts(missing) if missing else {}
        for blob in missing:
            loaded = load_commits(texts[blob]) if blob in texts else []
            self._commits[blob] = {commit.number: commit for commit in loaded}
        found = {key: self._commits[blob].get(key[1]) for key, blob in keys.items()}
        return {key: commit for key, commit in found.items() if commit is not None}

    def _texts(self, blobs: Iterable[str]) -> dict[str, bytes]:
        found = self.engine.texts(list(blobs))
        if None in found.values():
            raise IndexDamaged(f"the history of {self.engine.location} lacks a text; index again with --history")
        return {blob: text for blob, text in found.items() if text is not None}

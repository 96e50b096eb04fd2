"""What the history of an index stores. It is a second index beside the first one (`Engine.history`), of the same kind.

| path of an occurrence | its blob |
| --- | --- |
| `0000123/src/a.py` | a piece: what commit 123 of the repository brought to the file (`analyzers.pieces`) |
| `commits/0` | the facts of commits 0 to 511 (`StoredCommit`), as the text of the blob |

The blobs of commits have no tokens. Their ids are digests of their names, so they are read without a listing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from wherefrom.engines import records
from wherefrom.engines.engine import Engine
from wherefrom.errors import IndexDamaged
from wherefrom.model import Occurrence
from wherefrom.results import HistoryStats
from wherefrom.support.values import astuple, dataclass

COMMITS = "commits"
TOGETHER = 512  # the facts of this many commits are stored together
KEPT = 200  # a reader keeps about this many times `TOGETHER` commits


@dataclass(frozen=True, slots=True)
class StoredCommit:
    """The facts of a commit, as `sources.history.Commit`."""

    number: int
    id: str
    authored: int
    committed: int
    tag: str | None
    is_merge: bool
    doubts: tuple[str, ...] = ()  # why its date may not be that of the code (`results.Doubt`)


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


def commits_group(occurrence: Occurrence) -> int | None:
    """The number of `TOGETHER` commits whose facts an occurrence has; None if it is not that of such a blob."""
    name, _, number = occurrence.path.partition("/")
    return int(number) if name == COMMITS else None


def commits_blob(repository: str, number: int) -> str:
    """The id of the blob with the facts of a commit."""
    return records.digest(COMMITS, repository, str(number // TOGETHER))


def history_stats(history: Engine) -> HistoryStats:
    """Counts of the history of an index."""
    records = history.repositories()
    return HistoryStats(len(records), sum(record.files for record in records), history.stats().stored)


class HistoryReader:
    """Reads the history of an index. Keeps commits until `refresh`, or until it sees a later version of the index."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._commits: dict[str, dict[int, StoredCommit]] = {}
        self._version: object | None = None

    def refresh(self) -> None:
        """Forgets what another commit to the index may have changed."""
        self._commits.clear()

    def commits(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], StoredCommit]:
        """The facts of some commits, each given as repository and number. Unknown commits are left out."""
        keys = {(repository, number): commits_blob(repository, number) for repository, number in wanted}
        if self.engine.version != self._version or len(self._commits) > KEPT:
            self._version = self.engine.version
            self._commits.clear()
        missing = {blob for blob in keys.values() if blob not in self._commits}
        texts = self.engine.texts(list(missing)) if missing else {}
        if None in texts.values():
            raise IndexDamaged(f"the history of {self.engine.location} lacks a text; index again with --history")
        for blob in missing:
            loaded = load_commits(text) if (text := texts.get(blob)) is not None else []
            self._commits[blob] = {commit.number: commit for commit in loaded}
        found = {key: self._commits[blob].get(key[1]) for key, blob in keys.items()}
        return {key: commit for key, commit in found.items() if commit is not None}

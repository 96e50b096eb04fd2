"""A copying run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wherefrom.support.contract import JsonDocument


@dataclass(frozen=True, slots=True)
class CopyProgress:
    """How far a copying run is; given to the caller's `progress` a few times a second.

    While it is `copying`, `done` of `total` files are dealt with, `repository` is the one under way, and `sent` counts
    the blobs that were written; while it is `comparing`, `done` of `total` files and blobs were read back. `seconds` is
    the time since that stage began.
    """

    stage: Literal["copying", "comparing"]
    repository: str
    done: int
    total: int
    sent: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CopyReport(JsonDocument):
    """A copying run, whose result was read back from both indexes and found the same.

    `repositories`, `files` (occurrences), `blobs` and `sets` count what both hold now of the source; `sent` of the
    blobs were written by this run, `kept` are in the target as another repository brought them (another language, or
    without the source); `retired` counts occurrences of an earlier state that are gone, `swept` blobs removed since
    nothing refers to them any longer. `digest` is 40 hexadecimal digits over all that was compared, but for `kept`:
    the same for the same content, whatever the engine.
    """

    repositories: int
    files: int
    blobs: int
    sets: int
    sent: int
    kept: int
    retired: int
    swept: int
    digest: str
    seconds: float

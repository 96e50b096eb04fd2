"""Who is compared with whom: the files, their submissions and what these are to each other, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.results import Role


@dataclass(frozen=True, slots=True)
class Members:
    """The files that are compared, by submission; a blob that several submissions have is a file of each.

    Attributes:
        blobs: the distinct blobs, by the first file of each.
        blob_of: int64, for each file the position of its blob in `blobs`.
        submission_of: int64, for each file its submission, ascending.
        authors: int64, for each submission the number of its author.
        roles: for each submission its role.
    """

    blobs: Sequence[str]
    blob_of: NDArray[np.int64]
    submission_of: NDArray[np.int64]
    authors: NDArray[np.int64]
    roles: Sequence[Role]

    @property
    def files(self) -> int:
        """How many files there are."""
        return len(self.blob_of)

    @property
    def submissions(self) -> int:
        """How many submissions there are."""
        return len(self.roles)

    @property
    def units(self) -> NDArray[np.int64]:
        """For each file the number of what terms are counted by: its submission; of two corpora, which may be one
        submission each, the file.
        """
        return np.arange(self.files) if self.has_two_sides else self.submission_of

    @property
    def unit_count(self) -> int:
        """How many of these there are."""
        return self.files if self.has_two_sides else self.submissions

    @property
    def has_two_sides(self) -> bool:
        """Whether there is a second corpus: then only pairs across both are compared."""
        return Role.WITH in self.roles

    def files_of_blobs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The files by blob: where those of each blob begin (and the end), and the files."""
        order = np.argsort(self.blob_of, kind="stable")
        begins = np.searchsorted(self.blob_of[order], np.arange(len(self.blobs) + 1))
        return begins, order

    def may_meet(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which pairs of submissions are compared."""
        if self.has_two_sides:
            is_with = np.array([role is Role.WITH for role in self.roles])
            allowed: NDArray[np.bool_] = is_with[left] != is_with[right]
        else:
            is_archive = np.array([role is Role.ARCHIVE for role in self.roles])
            allowed = ~(is_archive[left] & is_archive[right])
        allowed &= self.authors[left] != self.authors[right]
        allowed &= left != right
        return allowed

    def possible_pairs(self) -> tuple[int, int]:
        """How many pairs of submissions are compared, and how many more would be but for their authors."""
        fixed = np.array([role is not Role.SUBMISSION for role in self.roles], dtype=np.bool_)
        own = int(np.count_nonzero(~fixed))
        allowed = own * (len(fixed) - own) + (0 if self.has_two_sides else own * (own - 1) // 2)
        shared = 0
        _, first, sizes = np.unique(self.authors, return_index=True, return_counts=True)
        for author in self.authors[first[sizes > 1]].tolist():
            its = self.authors == author
            mine = int(np.count_nonzero(its & ~fixed))
            others = int(np.count_nonzero(its & fixed))
            shared += mine * others + (0 if self.has_two_sides else mine * (mine - 1) // 2)
        return allowed - shared, shared

"""Chooses runs to merge, and merges them: one range of terms at a time, so that memory does not grow with the runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.packing import Words
from wherefrom.engines.embedded.run_writer import RunWriter
from wherefrom.engines.embedded.runs import Columns, Description, Run
from wherefrom.engines.terms import by_term
from wherefrom.model import INDEXED
from wherefrom.support.values import dataclass

SMALLEST = 1 << 16  # a run with fewer postings counts as having this many, so that small runs do not pile up
PART = 1 << 20  # the approximate number of postings that are merged at a time


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run, and for each of its documents True if the document is alive, that is, not deleted."""

    run: Run
    is_alive: NDArray[np.bool_]

    @property
    def is_whole(self) -> bool:
        """True if all documents are alive."""
        return bool(self.is_alive.all())

    def count_holding(self, representation: int) -> int:
        """The number of living documents that have terms of a representation, given as a position in `INDEXED`."""
        if self.is_whole:
            return self.run.description.holding[representation]
        return int(np.count_nonzero(self.run.columns.representations[self.is_alive] >> representation & 1))


def runs_to_merge(runs: Sequence[LiveRun]) -> Sequence[LiveRun]:
    """Chooses the runs that should be merged into one, perhaps none. `runs` are given oldest first. Once all runs newer
    than a run are together as large as the run, they are merged with it. So each run is larger than all newer runs
    together. The number of runs, and the number of times that a posting is written again, grow with the logarithm of
    the index. A run with more than half of its documents deleted is merged likewise.
    """
    newer = 0
    chosen = len(runs)
    for number in range(len(runs) - 1, -1, -1):
        live = runs[number]
        size = max(SMALLEST, live.run.description.postings)
        is_hollow = 2 * np.count_nonzero(live.is_alive) < len(live.is_alive)
        if is_hollow or newer >= size:
            chosen = number
        newer += size
    return runs[chosen:]


def merge(folder: Path, name: int, runs: Sequence[LiveRun]) -> Description:
    """Writes the run `name` from the living documents of some runs, in the same order. At least one must be alive."""
    columns, languages = _columns(runs)
    described = [live.run.description for live in runs]
    counts = np.sum([description.counts for description in described], axis=0).tolist()
    widest = max(description.term_bits for description in described)
    with RunWriter(folder, name, counts, (1 << widest) - 1, len(columns.keys)) as writer:
        for representation, terms, documents in in_order(runs, _new_documents(runs)):
            writer.append(representation, terms, documents)
        return writer.finish(columns, languages)


def in_order(
    runs: Sequence[LiveRun], numbers: Sequence[NDArray[np.int64]]
) -> Iterator[tuple[int, Words, NDArray[np.int64]]]:
    """The postings of some runs by representation (given as a position in `INDEXED`), term and document number, in
    parts. `numbers` has, for each run, the new numbers of its documents; documents with the number -1 are left out.
    """
    widest = max((live.run.description.term_bits for live in runs), default=1)
    for live in runs:
        live.run.expect(in_order=True)
    for representation in range(len(INDEXED)):
        count = sum(live.run.description.counts[representation] for live in runs)
        for first, last in _term_ranges(count, widest):
            found = [live.run.range_of(representation, first, last) for live in runs]
            terms = np.concatenate([terms for terms, _ in found])
            given = np.concatenate([own[documents] for own, (_, documents) in zip(numbers, found, strict=True)])
            yield representation, *by_term(terms[given >= 0], given[given >= 0], widest)


def _term_ranges(count: int, term_bits: int) -> Iterator[tuple[int, int]]:
    """Ranges of terms (inclusive) with about `PART` postings each."""
    bits = min(term_bits, max(0, (count // PART).bit_length()))
    length = 1 << (term_bits - bits)
    return ((number * length, (number + 1) * length - 1) for number in range(1 << bits if count else 0))


def _new_documents(runs: Sequence[LiveRun]) -> list[NDArray[np.int64]]:
    """For each run, the number that each document gets in the merged run; -1 if the document is deleted."""
    alive = np.concatenate([live.is_alive for live in runs])
    new = np.where(alive, np.cumsum(alive) - 1, -1)
    return np.split(new, np.cumsum([len(live.is_alive) for live in runs])[:-1])


def _columns(runs: Sequence[LiveRun]) -> tuple[Columns, list[str]]:
    """The columns of the living documents, and the names of their languages."""
    languages = sorted({name for live in runs for name in live.run.description.languages})
    parts: list[list[NDArray[Any]]] = []
    for live in runs:
        columns = live.run.columns
        renamed = np.array([languages.index(name) for name in live.run.description.languages], np.uint16)
        changed = columns._replace(languages=renamed[columns.languages])
        parts.append([column[live.is_alive] for column in changed])
    return Columns(*(np.concatenate(column) for column in zip(*parts, strict=True))), languages

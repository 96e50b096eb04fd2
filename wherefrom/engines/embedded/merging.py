"""Which runs become one, and how: part after part of the terms, so that memory does not grow with the runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.engines.embedded.packing import Words
from wherefrom.engines.embedded.run_writer import RunWriter
from wherefrom.engines.embedded.runs import Columns, Description, Run
from wherefrom.engines.postings import by_term
from wherefrom.model import INDEXED

SMALLEST = 1 << 16
"""Postings that every run counts for, so that small ones do not pile up."""

PART = 1 << 20
"""Postings that are merged at a time, as far as no term alone has more."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run and which of its documents live: an array of booleans."""

    run: Run
    is_alive: NDArray[np.bool_]

    @property
    def is_whole(self) -> bool:
        """Whether all of them do."""
        return bool(self.is_alive.all())


def runs_to_merge(runs: Sequence[LiveRun]) -> Sequence[LiveRun]:
    """Those runs, given from the oldest on, that are to become one; none if all is well.

    A run is merged with all newer ones once these together are as large as it is, so each run is larger than all newer
    ones together, their number grows with the logarithm of the index, and a posting is written again as often as that.
    A run more than half of whose documents are deleted is written again with all newer ones too.
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
    """Writes the living documents of some runs, at least one, as the run `name`; their order stays."""
    columns, languages = _columns(runs)
    described = [live.run.description for live in runs]
    counts = np.sum([description.counts for description in described], axis=0).tolist()
    widest = max(description.term_bits for description in described)
    writer = RunWriter(folder, name, counts, (1 << widest) - 1, len(columns.keys))
    try:
        for representation, terms, documents in in_order(runs, _new_documents(runs)):
            writer.append(representation, terms, documents)
        return writer.finish(columns, languages)
    except BaseException:
        writer.abandon()
        raise


def in_order(
    runs: Sequence[LiveRun], numbers: Sequence[NDArray[np.int64]]
) -> Iterator[tuple[int, Words, NDArray[np.int64]]]:
    """The postings of some runs by representation (its position in `INDEXED`), term and number, in parts. `numbers` has
    for each run the number that each document gets; those with -1 are left out.
    """
    widest = max((live.run.description.term_bits for live in runs), default=1)
    for representation in range(len(INDEXED)):
        count = sum(live.run.description.counts[representation] for live in runs)
        for first, last in _term_ranges(count, widest):
            found = [live.run.range_of(representation, first, last) for live in runs]
            terms = np.concatenate([terms for terms, _ in found])
            given = np.concatenate([own[documents] for own, (_, documents) in zip(numbers, found, strict=True)])
            yield representation, *by_term(terms[given >= 0], given[given >= 0], widest)


def _term_ranges(count: int, term_bits: int) -> Iterator[tuple[int, int]]:
    """Ranges of terms, the last one included, that have about `PART` postings each."""
    bits = min(term_bits, max(0, (count // PART).bit_length()))
    length = 1 << (term_bits - bits)
    return ((number * length, (number + 1) * length - 1) for number in range(1 << bits if count else 0))


def _new_documents(runs: Sequence[LiveRun]) -> list[NDArray[np.int64]]:
    """For each run the new document of each of its documents, -1 for those that are deleted."""
    found = []
    before = 0
    for live in runs:
        new = before + np.cumsum(live.is_alive) - 1
        found.append(np.where(live.is_alive, new, -1))
        before += int(np.count_nonzero(live.is_alive))
    return found


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

"""Compares runs with plain dictionaries: finding, counting and merging, for terms of any width."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from wherefrom.engines.embedded import merging
from wherefrom.engines.embedded.faults import Damage
from wherefrom.engines.embedded.merging import SMALLEST, LiveRun, merge, runs_to_merge
from wherefrom.engines.embedded.packing import FRAME, pack, places, words_at_every_byte
from wherefrom.engines.embedded.run_writer import RunWriter, write_run
from wherefrom.engines.embedded.runs import BLOCK, LARGE_BUCKET, Columns, Description, Run
from wherefrom.model import INDEXED, TERM_BITS

pytestmark = pytest.mark.usefixtures("both_ways")

Documents = Sequence[Sequence[Sequence[int]]]
"""For each document, for each of `INDEXED`, its terms."""


def written(folder: Path, name: int, documents: Documents) -> Run:
    """A run of these documents, whose numbers begin at 1000 times its name."""
    packed = [[np.unique(np.array(one[at], np.uint64)).tobytes() for one in documents] for at in range(len(INDEXED))]
    numbers = np.arange(len(documents)) + 1000 * name
    columns = Columns(
        numbers.astype(np.uint64) * np.uint64(7),
        numbers.astype(np.uint32),
        (numbers % 2).astype(np.uint16),
        np.array([sum(1 << at for at, terms in enumerate(one) if terms) for one in documents], np.uint8),
    )
    return Run(folder, write_run(folder, name, packed, columns, ["c", "go"], term_bits=TERM_BITS))


def holders_of(documents: Documents, representation: int) -> dict[int, list[int]]:
    """The documents with each term."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        for term in set(document[representation]):
            found[term].append(number)
    return found


def finds(run: Run, documents: Documents) -> None:
    """Asserts that a run finds every term of these documents, and no other term."""
    run.verify()
    for representation in range(len(INDEXED)):
        expected = holders_of(documents, representation)
        wanted = [*expected, *(term for term in (0, 1, 7, 2**39, 2**48 - 1) if term not in expected)]
        first, end = run.bounds(np.full(len(wanted), representation), np.array(wanted, np.uint64))
        found = {
            term: run.documents_of(np.arange(*bounds)).tolist()
            for term, *bounds in zip(wanted, first.tolist(), end.tolist(), strict=True)
        }
        assert found == {term: expected.get(term, []) for term in wanted}
        weights = {term: float(1 + place) for place, term in enumerate(wanted)}
        sums: dict[int, float] = defaultdict(float)
        for term, holders in expected.items():
            for number in holders:
                sums[number] += weights[term]
        summed = run.summed(first, end, np.array([weights[term] for term in wanted]))
        assert sorted(zip(*(column.tolist() for column in summed), strict=True)) == sorted(sums.items())


terms = st.one_of(st.integers(0, 9), st.integers(0, 2**40 - 1), st.integers(2**47, 2**48 - 1))
documents = st.lists(st.tuples(*(st.lists(terms, max_size=12) for _ in INDEXED)), min_size=1, max_size=30)


@pytest.mark.thorough
@given(documents)
def test_a_run_finds_what_its_documents_hold(tmp_path_factory: pytest.TempPathFactory, given: Documents) -> None:
    finds(written(tmp_path_factory.mktemp("runs"), 1, given), given)


@pytest.mark.slow
@given(documents, documents, st.data())
def test_a_merged_run_finds_what_lives(
    tmp_path_factory: pytest.TempPathFactory, one: Documents, other: Documents, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    alive = data.draw(st.lists(st.booleans(), min_size=len(one), max_size=len(one)).map(np.array))
    whole = np.ones(len(other), np.bool_)
    runs = [LiveRun(written(folder, 1, one), alive), LiveRun(written(folder, 2, other), whole)]
    merged = Run(folder, merge(folder, 3, runs))
    lives = [document for document, does in zip(one, alive, strict=True) if does]
    finds(merged, [*lives, *other])
    kept = [np.flatnonzero(alive) + 1000, np.arange(len(other)) + 2000]
    assert merged.columns.numbers.tolist() == np.concatenate(kept).tolist()
    assert merged.columns.keys.tolist() == (np.concatenate(kept) * 7).tolist()
    names = [merged.description.languages[at] for at in merged.columns.languages.tolist()]
    assert names == [("c", "go")[number % 2] for number in np.concatenate(kept).tolist()]


def test_a_term_that_very_many_hold_and_its_neighbours(tmp_path: Path) -> None:
    """They share a bucket, which is bisected."""
    many = LARGE_BUCKET * 3
    before, term, after = (2**39 + number for number in range(3))
    given: Documents = [
        ([term, after] if number == many - 1 else [before, term] if number == 0 else [term], [], [], [], [])
        for number in range(many)
    ]
    finds(written(tmp_path, 1, given), given)


@pytest.mark.thorough
def test_no_block_that_is_damaged_gives_a_wrong_answer(tmp_path: Path) -> None:
    dice = np.random.default_rng(5)
    given: Documents = [(dice.integers(0, 2**40, 40).tolist(), [], [3], [], []) for _ in range(100)]
    description = written(tmp_path, 1, given).description
    terms = np.array(sorted({term for document in given for term in document[0]}), np.uint64)

    def answer() -> list[tuple[int, float]]:
        run = Run(tmp_path, description)
        summed = run.summed(*run.bounds(np.zeros(len(terms), np.int64), terms), np.ones(len(terms)))
        return sorted(zip(*(column.tolist() for column in summed), strict=True))

    path, right = tmp_path / description.file, answer()
    plain = path.read_bytes()
    refused = 0
    blocks = -(-description.checked_bytes // BLOCK)
    for block in range(blocks):
        changed = bytearray(plain)
        changed[block * BLOCK + 9] ^= 4
        path.write_bytes(changed)
        try:
            assert answer() == right
        except Damage:
            refused += 1
    # The answer needs the postings and the table of one representation of two, and no columns of documents.
    assert blocks / 2 < refused < blocks


@pytest.mark.slow
def test_sums_that_damage_cut_short_are_forgotten(tmp_path: Path) -> None:
    many = 40_000
    given: Documents = [([7], [9] if number < 9 else [], [], [], []) for number in range(many)]
    description = written(tmp_path, 1, given).description
    path = tmp_path / description.file
    changed = bytearray(path.read_bytes())
    changed[40 * BLOCK] ^= 1
    path.write_bytes(changed)
    run = Run(tmp_path, description)
    first, end = run.bounds(np.array([0, 1]), np.array([7, 9], np.uint64))
    assert (end - first).tolist() == [many, 9]
    with pytest.raises(Damage, match=r"^1\.run does not match its checksum$"):
        run.summed(first, end, np.array([1.0, 2.0]))
    documents, sums = run.summed(first[1:], end[1:], np.array([2.0]))
    assert sorted(documents.tolist()) == list(range(9))
    assert sums.tolist() == [2.0] * 9


@given(st.integers(0, 56), st.integers(1, 3), st.data())
def test_packed_numbers_are_read_at_any_position(bits: int, frames: int, data: st.DataObject) -> None:
    numbers = st.integers(0, max(0, (1 << bits) - 1))
    values = data.draw(st.lists(numbers, min_size=frames * FRAME, max_size=frames * FRAME))
    before, after = np.full((frames, 3), 2**64 - 1, np.uint64), np.full((frames, 2), 2**64 - 1, np.uint64)
    words = np.hstack([before, pack(np.array(values, np.uint64), bits), after])
    assert words.shape == (frames, bits + 5)
    byte, shift = places(np.arange(len(values)), bits + 5, 3, bits)
    read = (words_at_every_byte(words.tobytes())[byte] >> shift) & np.uint64((1 << bits) - 1)
    assert read.tolist() == values


def test_a_merge_holds_part_of_the_postings_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(3)
    given: Documents = [(dice.integers(0, 2**40, 400).tolist(), [], [], [], []) for _ in range(100)]
    runs = [LiveRun(written(tmp_path, name, given), np.ones(100, np.bool_)) for name in (1, 2)]
    lengths = []
    plain = RunWriter.append

    def append(writer: RunWriter, representation: int, terms: NDArray[np.uint64], documents: NDArray[np.int64]) -> None:
        lengths.append(len(terms))
        plain(writer, representation, terms, documents)

    monkeypatch.setattr(RunWriter, "append", append)
    monkeypatch.setattr(merging, "PART", 2000)
    merged = merge(tmp_path, 3, runs)
    assert sum(lengths) == merged.postings == 2 * sum(len(set(document[0])) for document in given)
    assert max(lengths) < 2 * 2000


def fake(postings: int, alive: float = 1.0) -> LiveRun:
    """A run with a size and nothing else."""
    run = object.__new__(Run)
    run.description = Description(1, 100, (postings, 0, 0, 0, 0), (100, 0, 0, 0, 0), (True,) * 5, 40, 0, (), None, 0)
    return LiveRun(run, np.arange(100) < 100 * alive)


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [
        ([], 0),
        ([9], 0),
        ([9, 4], 0),
        ([9, 4, 2, 1], 0),
        ([9, 4, 2, 2], 3),
        ([10, 5, 2, 2], 2),
        ([9, 4, 3, 1], 3),
        ([9, 4, 4, 1], 4),
    ],
)
def test_a_run_is_merged_when_the_newer_ones_together_are_as_large(sizes: list[int], merged: int) -> None:
    assert len(runs_to_merge([fake(size * SMALLEST) for size in sizes])) == merged


def test_a_run_of_mostly_deleted_documents_is_written_again() -> None:
    assert len(runs_to_merge([fake(9 * SMALLEST, 0.4), fake(SMALLEST)])) == 2
    assert len(runs_to_merge([fake(9 * SMALLEST, 0.5), fake(SMALLEST)])) == 0


@pytest.mark.parametrize("size", [1, 1000, SMALLEST, 7 * SMALLEST])
def test_runs_stay_few_and_postings_are_seldom_written_again(size: int) -> None:
    runs: list[LiveRun] = []
    again = 0
    commits = 500
    for _ in range(commits):
        runs.append(fake(size))
        while chosen := runs_to_merge(runs):
            total = sum(live.run.description.postings for live in chosen)
            again += total
            runs = [*runs[: len(runs) - len(chosen)], fake(total)]
        assert len(runs) <= 9
    assert again <= 9 * commits * max(size, SMALLEST)

from __future__ import annotations

from itertools import cycle, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.files import File
from benchmarks.synthesis import Synthesis, batches, document_of, good_turing, postings_of
from wherefrom.model import BlobDocument, Representation


def test_good_turing_of_ten_terms() -> None:
    # n(1) = 6, n(2) = 3, n(3) = 1: 2 * 3 / 6 / 1, 3 * 1 / 3 / 2, and none is seen four times.
    shares = good_turing(np.array([1] * 6 + [2] * 3 + [3]), most=3)
    assert shares.tolist() == [0.0, 1.0, 0.5, 0.0, 1.0]


@given(st.lists(st.integers(1, 30), min_size=1))
def test_shares_are_probabilities_and_frequent_terms_are_always_kept(frequencies: list[int]) -> None:
    shares = good_turing(np.array(frequencies))
    assert ((shares >= 0) & (shares <= 1)).all()
    assert shares[-1] == 1


def document(number: int) -> BlobDocument:
    lines = "".join(f"    value_{number}_{line} = compute(value, {line}, option_{line % 7})\n" for line in range(30))
    made = document_of(File("project", f"{number}.py", f"def f{number}(value):\n{lines}".encode()))
    assert made is not None
    return made


def test_synthetic_blobs_are_new_share_what_is_frequent_and_are_always_the_same() -> None:
    documents = [document(number) for number in range(20)]
    made = list(islice(Synthesis(documents, seed=1).blobs(), 40))
    assert len({document.stored.blob for document in [*made, *documents]}) == 60
    again = islice(Synthesis(documents, seed=1).blobs(), 40)
    for one, other in zip(made, again, strict=True):
        assert one.stored.blob == other.stored.blob
        assert one.terms[Representation.EXACT].tolist() == other.terms[Representation.EXACT].tolist()
    # All functions are renamed to the same: these terms every blob has, real or not.
    everywhere = set.intersection(*(set(blob.terms[Representation.RENAMED].tolist()) for blob in documents))
    assert everywhere
    assert all(everywhere <= set(blob.terms[Representation.RENAMED].tolist()) for blob in made)
    for blob in made:
        for terms in blob.terms.values():
            assert (np.diff(terms.astype(np.int64)) > 0).all()


@pytest.mark.parametrize("postings", [1, 100, 20_000])
def test_batches_end_with_the_document_that_has_the_last_posting(postings: int) -> None:
    documents = cycle(document(number) for number in range(3))
    found = [each for batch in batches(documents, postings) for each in batch]
    sizes = [postings_of(each) for each in found]
    assert sum(sizes) - sizes[-1] < postings <= sum(sizes)

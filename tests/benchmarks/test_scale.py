from __future__ import annotations

import numpy as np
import pytest

from benchmarks.scale import EMBEDDED, Point, Seen, latency_report, loading_report, processor_report, queries_of
from wherefrom.model import BlobDocument, Representation, StoredBlob


def document(number: int) -> BlobDocument:
    terms = {
        Representation.EXACT: np.arange(number, number + 20, dtype=np.uint64),
        Representation.RENAMED: np.arange(10, dtype=np.uint64),
    }
    return BlobDocument(StoredBlob(f"{number:040}", "python", 1, 1, b""), terms)


@pytest.mark.parametrize("terms", [1, 30, 75])
def test_a_query_has_so_many_distinct_terms_of_real_blobs(terms: int) -> None:
    documents = [document(number * 100) for number in range(9)]
    held = {(key, term) for each in documents for key, values in each.terms.items() for term in values.tolist()}
    queries = queries_of(documents, terms, 12)
    assert queries == queries_of(documents, terms, 12)
    assert len(queries) == 12
    for query in queries:
        asked = [(key, term) for key, values in query.items() for term in values]
        assert len(asked) == len(set(asked)) == terms
        assert set(asked) <= held


def test_the_tables_compare_every_engine_with_the_embedded_one() -> None:
    own, other = Seen(size=1000), Seen(size=2000)
    own.seconds.update({"8 terms": [0.001, 0.002, 0.009], "load": [1.0, 1.0]})
    other.seconds.update({"8 terms": [0.004, 0.002, 0.018], "load": [4.0, 2.0]})
    own.processor["8 terms"], other.processor["8 terms"] = [0.001, 0.002], [0.01, 0.03]
    own.answers, other.answers = [["a"], ["b", "c"], []], [["a"], ["c", "b"], []]
    points = [Point(600, 7, [300, 300], {EMBEDDED: own, "another": other})]
    assert loading_report(points).splitlines()[2:] == [
        "| 600 | 7 | embedded | 300 | 1.00 | 0 | 1.7 | 1.00 |",
        "| 600 | 7 | another | 100 | 0.33 | 0 | 3.3 | 2.00 |",
    ]
    assert latency_report(points).splitlines() == [
        "| postings | engine | 8 terms | same answer |",
        "| --- | --- | --- | --- |",
        "| 600 | embedded | 2.0 / 9.0 (1.0) | 3 of 3 |",
        "| 600 | another | 4.0 / 18.0 (2.0) | 2 of 3 |",
    ]
    assert processor_report(points).splitlines()[2:] == ["| 600 | embedded | 1.5 |", "| 600 | another | 20.0 |"]

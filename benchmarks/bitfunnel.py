"""A bit-sliced signature index after BitFunnel (Goodwin et al., SIGIR 2017), in NumPy, against tantivy.

An experiment: nothing of it is in the product. The postings are made up with the statistics of real code: half of them
are of terms that occur once, the rest follow a power law of slope -0.7, and documents differ in length. A query is what
a search asks: the ten documents with the greatest sum of idf, over 40 or 500 terms. Sorted arrays in NumPy are the
oracle, and a third contender.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Occur, Query

from benchmarks.timing import percentile, table
from wherefrom.analyzers.hashing import mix

if TYPE_CHECKING:
    from wherefrom.model import Hashes

TERMS_PER_DOCUMENT = 200
"""On average; the lengths are log-normal."""

SLOPE = 0.7
REPEATED_PER_TERM = 10
"""Postings for each term that follows the power law, on average."""

TERM_BITS = np.uint64(24)
"""Terms are 40 bits wide, as in the product."""

TOP = 10

Documents = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Distinct (document, term) pairs, by document.

    Attributes:
        documents: of each pair, rising.
        terms: of each pair.
        count: how many documents there are.
    """

    documents: Documents
    terms: Hashes
    count: int

    def of(self, document: int) -> Hashes:
        """The terms of a document."""
        begin, end = np.searchsorted(self.documents, [document, document + 1])
        return self.terms[begin:end]


@dataclass(frozen=True, slots=True)
class AttributionCriteria:
    """A query: its terms and their idf."""

    terms: Hashes
    weights: NDArray[np.float64]


def zipf(count: int, vocabulary: int, random: np.random.Generator) -> Hashes:
    """Terms whose frequency falls with rank to the power -0.7: the inverse of the distribution function."""
    ranks = (vocabulary * random.random(count) ** (1 / (1 - SLOPE))).astype(np.uint64)
    return mix(ranks) >> TERM_BITS


def make_postings(count: int, random: np.random.Generator) -> Postings:
    documents = max(count // TERMS_PER_DOCUMENT, 2)
    lengths = random.lognormal(0, 1, documents)
    owner = np.sort(random.choice(documents, count, p=lengths / lengths.sum()))
    terms = zipf(count, max(count // 2 // REPEATED_PER_TERM, 1), random)
    unique = random.random(count) < 0.5
    terms[unique] = mix(np.flatnonzero(unique).astype(np.uint64) + np.uint64(1 << 60)) >> TERM_BITS
    order = np.lexsort((terms, owner))
    owner, terms = owner[order], terms[order]
    new = np.append(True, (owner[1:] != owner[:-1]) | (terms[1:] != terms[:-1]))
    return Postings(owner[new], terms[new], documents)


class Sorted:
    """The postings by term, in three arrays."""

    def __init__(self, postings: Postings) -> None:
        order = np.argsort(postings.terms, kind="stable")
        self.terms, self.begins = np.unique(postings.terms[order], return_index=True)
        self.ends = np.append(self.begins[1:], len(order)).astype(np.uint32)
        self.begins = self.begins.astype(np.uint32)
        self.documents = postings.documents[order].astype(np.uint32)
        self.count = postings.count

    @property
    def size(self) -> int:
        """Bytes, the terms at 5 each."""
        return len(self.terms) * 5 + self.begins.nbytes + self.documents.nbytes

    def frequencies(self, terms: Hashes) -> Documents:
        """In how many documents each term is."""
        at, held = self._find(terms)
        return np.where(held, self.ends[at].astype(np.int64) - self.begins[at], 0)

    def pairs(self, terms: Hashes) -> tuple[NDArray[np.int64], Documents]:
        """(index of the term, document) of every posting of the terms."""
        at, held = self._find(terms)
        asked = np.flatnonzero(held)
        lists = [self.documents[self.begins[each] : self.ends[each]] for each in at[asked]]
        if not lists:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        return np.repeat(asked, [len(each) for each in lists]), np.concatenate(lists).astype(np.int64)

    def scores(self, query: AttributionCriteria) -> NDArray[np.float64]:
        """Of every document."""
        which, documents = self.pairs(query.terms)
        return _sums(documents, query.weights[which], self.count)

    def search(self, query: AttributionCriteria) -> list[int]:
        """The best documents, best first."""
        return best(self.scores(query))

    def _find(self, terms: Hashes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        at = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return at, self.terms[at] == terms


class Shard:
    """Signatures of documents of like length, as rows of bits.

    A posting sets a bit in `low` rows with a column for each document, and in `high` rows with a column for each 64 of
    them (rank 6: a column is a whole word of the low rows). A term is where all its rows have a bit. So many rows are
    made that about `density` of all bits are set.
    """

    def __init__(self, postings: Postings, members: Documents, density: float, low: int, high: int) -> None:
        self.members, self.low, self.high = members, low, high
        self.words = -(-len(members) // 64)
        local = np.full(postings.count, -1, np.int64)
        local[members] = np.arange(len(members))
        mine = local[postings.documents] >= 0
        documents, terms = local[postings.documents[mine]], postings.terms[mine]
        # Each bit set takes 1 / density places; several postings on one bit take fewer, which ln corrects.
        places = -1 / math.log(1 - density)
        per_document = max(math.ceil(places * low * len(terms) / len(members)), low)
        per_block = max(math.ceil(places * high * len(terms) / self.words), high)
        self.rows = np.zeros((per_document, self.words), np.uint64)
        self.blocks = np.zeros((per_block, -(-self.words // 8)), np.uint8)
        word, bit = documents >> 6, np.uint64(1) << (documents & 63).astype(np.uint64)
        for row in self._low_rows(terms):
            np.bitwise_or.at(self.rows, (row, word), bit)
        byte, bit_of_byte = word >> 3, np.uint8(1) << (word & 7).astype(np.uint8)
        for row in self._high_rows(terms):
            np.bitwise_or.at(self.blocks, (row, byte), bit_of_byte)

    @property
    def size(self) -> int:
        """Bytes."""
        return self.rows.nbytes + self.blocks.nbytes + self.members.astype(np.uint32).nbytes

    def pairs(self, terms: Hashes) -> tuple[NDArray[np.int64], Documents]:
        """(index of the term, document) of everything that looks like a posting of the terms."""
        held = np.bitwise_and.reduce([self.blocks[row] for row in self._high_rows(terms)])
        which, word = np.nonzero(np.unpackbits(held, axis=1, count=self.words, bitorder="little"))
        rows = self._low_rows(terms)
        found = self.rows[rows[0][which], word]
        for row in rows[1:]:
            left = np.flatnonzero(found)
            which, word, found = which[left], word[left], found[left]
            found = found & self.rows[row[which], word]
        at, bit = np.nonzero(_bits(found))
        return which[at], self.members[word[at] * 64 + bit]

    def _low_rows(self, terms: Hashes) -> list[NDArray[np.int64]]:
        return [_row(terms, number, len(self.rows)) for number in range(self.low)]

    def _high_rows(self, terms: Hashes) -> list[NDArray[np.int64]]:
        return [_row(terms, 100 + number, len(self.blocks)) for number in range(self.high)]


def _row(terms: Hashes, number: int, rows: int) -> NDArray[np.int64]:
    return (mix(terms + np.uint64(number << 48)) % np.uint64(rows)).astype(np.int64)


def _bits(words: Hashes) -> NDArray[np.uint8]:
    """The bits of each word, lowest first: shape (n, 64)."""
    return np.unpackbits(words.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")


class Signatures:
    """Shards by length, as BitFunnel has them: in one of mixed lengths, long documents would be nothing but noise.

    A very frequent term has a row of its own, exact: BitFunnel too gives frequent terms private rows.
    """

    def __init__(self, postings: Postings, density: float, low: int, high: int, shards: int = 4) -> None:
        terms, counts = np.unique(postings.terms, return_counts=True)
        frequent = terms[counts >= density * postings.count]
        private = np.isin(postings.terms, frequent)
        self.private = Sorted(Postings(postings.documents[private], postings.terms[private], postings.count))
        rest = Postings(postings.documents[~private], postings.terms[~private], postings.count)
        lengths = np.bincount(rest.documents, minlength=postings.count)
        parts = np.array_split(np.argsort(lengths, kind="stable"), shards)
        self.shards = [Shard(rest, part, density, low, high) for part in parts]
        self.count = postings.count

    @property
    def size(self) -> int:
        """Bytes; a private row has a bit for each document."""
        return sum(shard.size for shard in self.shards) + len(self.private.terms) * (self.count // 8 + 5)

    def pairs(self, terms: Hashes) -> tuple[NDArray[np.int64], Documents]:
        """(index of the term, document) of everything that looks like a posting of the terms."""
        shared = (
            np.flatnonzero(self.private.frequencies(terms) == 0) if len(self.private.terms) else np.arange(len(terms))
        )
        found = [(shared[which], documents) for which, documents in (each.pairs(terms[shared]) for each in self.shards)]
        if len(self.private.terms):
            found.append(self.private.pairs(terms))
        return np.concatenate([which for which, _ in found]), np.concatenate([documents for _, documents in found])

    def search(self, query: AttributionCriteria) -> list[int]:
        """The best documents, best first, by idf that is known from elsewhere: signatures have no frequencies."""
        which, documents = self.pairs(query.terms)
        return best(_sums(documents, query.weights[which], self.count))


class Tantivy:
    """The same postings in tantivy, asked as the embedded engine asks."""

    def __init__(self, postings: Postings, folder: Path) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("terms", indexed=True)
        builder.add_unsigned_field("key", stored=True, fast=True)
        self.schema = builder.build()
        index = tantivy.Index(self.schema, path=str(folder))
        writer = index.writer(heap_size=128_000_000, num_threads=1)
        bounds = np.searchsorted(postings.documents, np.arange(postings.count + 1))
        for number in range(postings.count):
            document = tantivy.Document()
            document.add_unsigned("key", number)
            for term in postings.terms[bounds[number] : bounds[number + 1]].tolist():
                document.add_unsigned("terms", term)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.searcher = index.searcher()
        self.size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())

    def search(self, query: AttributionCriteria) -> list[int]:
        """The best documents, best first."""
        clauses = [
            (
                Occur.Should,
                Query.const_score_query(Query.term_query(self.schema, "terms", term, index_option="basic"), weight),
            )
            for term, weight in zip(query.terms.tolist(), query.weights.tolist(), strict=True)
        ]
        hits = self.searcher.search(Query.boolean_query(clauses), TOP).hits
        return [int(str(self.searcher.doc(address).get_first("key"))) for _, address in hits]


def _sums(documents: Documents, weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    return np.bincount(documents, weights, count).astype(np.float64, copy=False)


def best(scores: NDArray[np.float64]) -> list[int]:
    """The documents of the greatest scores above 0, best first, ties by number."""
    top = np.argpartition(-scores, min(TOP, len(scores) - 1))[:TOP]
    return sorted((int(each) for each in top if scores[each] > 0), key=lambda each: (-scores[each], each))


def queries(
    postings: Postings, oracle: Sorted, length: int, number: int, random: np.random.Generator
) -> list[AttributionCriteria]:
    """Each half of a document's terms, filled up with terms that follow the power law and with unknown ones."""
    made = []
    vocabulary = max(len(postings.terms) // 2 // REPEATED_PER_TERM, 1)
    for _ in range(number):
        of = postings.of(int(postings.documents[random.integers(0, len(postings.documents))]))
        copied = random.choice(of, min(len(of), length // 2), replace=False)
        rest = length - len(copied)
        unknown = random.integers(0, 1 << 40, rest // 2, np.uint64)
        terms = np.unique(np.concatenate((copied, zipf(rest - len(unknown), vocabulary, random), unknown)))
        frequency = oracle.frequencies(terms)
        weights = np.log(1 + (postings.count - frequency + 0.5) / (frequency + 0.5))
        made.append(AttributionCriteria(terms, weights))
    return made


def timed(build: Callable[[], Sorted | Signatures | Tantivy]) -> tuple[Sorted | Signatures | Tantivy, float]:
    begin = time.perf_counter()
    made = build()
    return made, time.perf_counter() - begin


def milliseconds(
    index: Sorted | Signatures | Tantivy, asked: Sequence[AttributionCriteria]
) -> tuple[list[list[int]], list[float]]:
    """The answers, and the time of each; a first round warms up."""
    for query in asked[:5]:
        index.search(query)
    answers, spent = [], []
    for query in asked:
        begin = time.perf_counter()
        answers.append(index.search(query))
        spent.append((time.perf_counter() - begin) * 1e3)
    return answers, spent


def row(
    name: str,
    index: Sorted | Signatures | Tantivy,
    seconds: float,
    asked: Sequence[AttributionCriteria],
    oracle: Sorted,
) -> list[str]:
    """A row of the table of one query length."""
    answers, spent = milliseconds(index, asked)
    truth = [oracle.search(query) for query in asked]
    first = sum(answer[:1] == true[:1] for answer, true in zip(answers, truth, strict=True)) / len(asked)
    # By score, since documents that tie at the tenth place are as good as each other.
    common = []
    for query, answer, true in zip(asked, answers, truth, strict=True):
        scores = oracle.scores(query)
        least = scores[true[-1]] - 1e-3
        common.append(sum(scores[each] >= least for each in answer) / len(true))
    false = "0"
    if isinstance(index, Signatures):
        seen = sum(len(index.pairs(query.terms)[0]) for query in asked)
        held = sum(len(oracle.pairs(query.terms)[0]) for query in asked)
        false = f"{(seen - held) / len(asked):,.0f} to {held / len(asked):,.0f} true"
    return [
        name,
        f"{index.size / len(oracle.documents):.2f}",
        f"{seconds:.1f}",
        f"{statistics.median(spent):.2f}",
        f"{percentile(spent, 0.95):.2f}",
        f"{first:.0%}",
        f"{statistics.mean(common):.1%}",
        false,
    ]


def measure(count: int, number: int) -> None:
    """Prints the tables of one size."""
    random = np.random.default_rng(5)
    postings = make_postings(count, random)
    pairs = len(postings.terms)
    built: list[tuple[str, Sorted | Signatures | Tantivy, float]] = []
    oracle = Sorted(postings)
    with tempfile.TemporaryDirectory() as folder:
        built.append(("tantivy", *timed(partial(Tantivy, postings, Path(folder)))))
        built.append(("sorted arrays", *timed(partial(Sorted, postings))))
        for density, low, high in ((0.1, 2, 2), (0.1, 3, 2), (0.1, 4, 2), (0.2, 5, 3), (0.3, 7, 3)):
            index, seconds = timed(partial(Signatures, postings, density, low, high))
            built.append((f"signatures, {density:.0%} set, {low} + {high} rows", index, seconds))
        once = float(np.mean(oracle.ends - oracle.begins == 1))
        print(
            f"\n{pairs:,} postings, {postings.count:,} documents, {len(oracle.terms):,} terms, {once:.0%} of them once"
        )
        for length in (40, 500):
            asked = queries(postings, oracle, length, number, random)
            print(f"\nQueries of {length} terms\n")
            print(
                table(
                    (
                        "index",
                        "bytes a posting",
                        "build, s",
                        "median, ms",
                        "95%, ms",
                        "first right",
                        "top 10 right",
                        "false matches a query",
                    ),
                    [row(*each, asked, oracle) for each in built],
                )
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bitfunnel", description=__doc__)
    parser.add_argument("--postings", type=float, nargs="+", default=[1e6], help="for example 1e6 1e7 (default: 1e6)")
    parser.add_argument("--queries", type=int, default=100, help="of each length (default: %(default)d)")
    options = parser.parse_args()
    for count in options.postings:
        measure(int(count), options.queries)


if __name__ == "__main__":
    main()

"""Synthetic collections of any size with the term statistics of real code.

Every synthetic blob has the terms of a real one, but a term that r of the real blobs have is kept only with the
probability r*/r, and otherwise replaced by a new term. Here r* = (r + 1) n(r + 1) / n(r) is the number of blobs that
are expected to have the term in a second corpus of the same size (Good-Turing; n(r) terms are in r blobs). The tokens
of a synthetic blob are those of another real blob, so that it is read and judged like any other, but is not a copy.
Some real blobs are in every collection, and searches look for edited snippets of them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Project
from benchmarks.files import SEED, File, sources
from benchmarks.search import LINES, edited
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import encode
from wherefrom.engines.engine import Writer
from wherefrom.model import (
    TERM_BITS,
    BlobDocument,
    Occurrence,
    RepositoryRecord,
    Representation,
    SkipReason,
    StoredBlob,
)

LANGUAGE_NAMES = ("python", "java", "c")

MOST_ADJUSTED = 8
"""Terms in more blobs than this are always kept, because n(r) is too small for an estimate."""

REAL_SHARE = 0.5
"""The share of real blobs in the postings of the smallest index."""

BATCH = 200
"""Blobs that are written at a time."""

REPOSITORY = "synthetic"


def good_turing(frequencies: NDArray[np.int64], most: int = MOST_ADJUSTED) -> NDArray[np.float64]:
    """r*/r: the probability that a term of r blobs is kept.

    Args:
        frequencies: for each distinct term the number of blobs that have it, at least 1.
        most: the probability is 1 if r is above this.

    Returns:
        the probabilities for r = 0 (which is 0), 1, ..., `most` + 1.
    """
    counts = np.bincount(np.minimum(frequencies, most + 2), minlength=most + 3).astype(np.float64)
    kept = np.ones(most + 2)
    kept[0] = 0.0
    for r in range(1, most + 1):
        if counts[r]:
            kept[r] = min(1.0, (r + 1) * counts[r + 1] / counts[r] / r)
    return kept


class Synthesis:
    """Blobs with the term statistics of real ones."""

    def __init__(self, documents: Sequence[BlobDocument], seed: int = SEED) -> None:
        self._documents = documents
        self._chance = np.random.default_rng(seed)
        self._kept: dict[Representation, list[NDArray[np.float64]]] = {}
        for representation in SCHEMES:
            terms = [document.terms.get(representation, np.empty(0, np.uint64)) for document in documents]
            _, places, counts = np.unique(np.concatenate(terms), return_inverse=True, return_counts=True)
            shares = good_turing(counts)[np.minimum(counts, MOST_ADJUSTED + 1)][places]
            ends = np.cumsum([len(each) for each in terms])
            self._kept[representation] = np.split(shares, ends[:-1])

    def blobs(self) -> Iterator[BlobDocument]:
        """Yields synthetic blobs without end."""
        number = 0
        while True:
            for at in self._chance.permutation(len(self._documents)).tolist():
                number += 1
                stored = self._documents[int(self._chance.integers(len(self._documents)))].stored
                terms = {
                    representation: self._varied(each, self._kept[representation][at])
                    for representation, each in self._documents[at].terms.items()
                }
                name = hashlib.sha1(f"synthetic {number}".encode(), usedforsecurity=False).hexdigest()
                yield BlobDocument(replace(stored, blob=name), terms)

    def _varied(self, terms: NDArray[np.uint64], kept: NDArray[np.float64]) -> NDArray[np.uint64]:
        new = self._chance.integers(0, 1 << TERM_BITS, len(terms), np.uint64)
        return np.unique(np.where(self._chance.random(len(terms)) < kept, terms, new))


def document_of(file: File) -> BlobDocument | None:
    """The document that `wherefrom index` would write, or None if it skips the file."""
    found = analyze_file(file.path, file.content)
    if isinstance(found, SkipReason):
        return None
    header = f"blob {len(file.content)}\0".encode()
    stored = StoredBlob(
        hashlib.sha1(header + file.content, usedforsecurity=False).hexdigest(),
        found.language,
        len(file.content),
        len(found.tokens),
        encode(found.tokens),
    )
    return BlobDocument(stored, document_terms(found.tokens))


def postings_of(document: BlobDocument) -> int:
    """How many postings a document adds to an index."""
    return sum(map(len, document.terms.values()))


def queries_of(files: Sequence[File], number: int) -> list[tuple[str, str]]:
    """`number` pairs (blob, edited snippet) of files that are long enough."""
    chance = random.Random(SEED)
    found: list[tuple[str, str]] = []
    for file in files:
        lines = file.content.decode("utf-8", "replace").splitlines()
        length = chance.randint(*LINES)
        document = document_of(file)
        if 4 * length > len(lines) or document is None:
            continue
        begin = chance.randrange(len(lines) // 4, len(lines) - length)
        found.append((document.stored.blob, edited(lines[begin : begin + length], chance)))
        if len(found) == number:
            break
    return found


@dataclass(frozen=True, slots=True)
class Collection:
    """The blobs and queries from which indexes of any size are made.

    Attributes:
        known: all real blobs.
        chosen: the real blobs that are in every index.
        queries: (blob, edited snippet) of some of the chosen blobs.
    """

    known: Sequence[BlobDocument]
    chosen: Sequence[BlobDocument]
    queries: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, projects: Sequence[Project], megabytes: float, smallest: int, queries: int) -> Collection:
        """A collection from `megabytes` of source, in equal parts of each language.

        Args:
            projects: of the corpus.
            megabytes: of source to read.
            smallest: postings of the smallest index; `REAL_SHARE` of them are real.
            queries: the number of queries.
        """
        share = megabytes / len(LANGUAGE_NAMES)
        files = [file for language in LANGUAGE_NAMES for file in sources(projects, language, share)]
        random.Random(SEED).shuffle(files)
        known: dict[str, BlobDocument] = {}
        chosen, real = [], 0
        for file in files:
            document = document_of(file)
            if document is not None and document.stored.blob not in known:
                known[document.stored.blob] = document
                if real + postings_of(document) <= REAL_SHARE * smallest:
                    real += postings_of(document)
                    chosen.append((file, document))
        found = queries_of([file for file, _ in chosen], queries)
        return cls(list(known.values()), [document for _, document in chosen], found)

    def documents(self) -> Iterator[BlobDocument]:
        """The chosen blobs, then synthetic ones without end; always the same."""
        return chain(self.chosen, Synthesis(self.known).blobs())


def batches(documents: Iterator[BlobDocument], postings: int) -> Iterator[list[BlobDocument]]:
    """The next documents, some at a time, until they have `postings` postings."""
    total = 0
    while total < postings:
        batch: list[BlobDocument] = []
        while total < postings and len(batch) < BATCH:
            batch.append(next(documents))
            total += postings_of(batch[-1])
        yield batch


def write(writer: Writer, batch: Sequence[BlobDocument]) -> None:
    """Adds blobs, each with an occurrence in one repository."""
    writer.add_blobs(batch)
    blobs = [document.stored.blob for document in batch]
    writer.put_occurrences(Occurrence(REPOSITORY, f"{blob}.txt", blob, "0") for blob in blobs)


def finish(writer: Writer, blobs: int) -> None:
    """Writes the record of the repository of `write`, and commits."""
    record = RepositoryRecord(REPOSITORY, "/synthetic", "directory", "0", "none", blobs, 0, {}, "2026-01-01T00:00:00Z")
    writer.put_repository(record)
    writer.commit()

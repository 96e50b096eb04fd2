"""The settings of prose, one changed at a time, on the passages of `prose`: chosen on half A, judged on half B.

First come k and w, and how many times denser the query's terms are. An edited passage counts as found if its file is
among the first `BATCH` candidates by the summed idf of shared terms.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.effectiveness.passages import EDITS
from benchmarks.effectiveness.prose import Case, Corpus, add_options, cases, load
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.fingerprints import document_terms, sample
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import Representation
from wherefrom.queries.candidates import BATCH
from wherefrom.queries.looked_up import idf

TEXT = Representation.TEXT
SETTINGS = ((32, 64), (24, 64), (20, 48), (16, 64), (16, 48), (16, 40), (16, 32), (12, 64))
DENSER = (1, 2, 4)


def first_stage(corpus: Corpus, every: Sequence[Case]) -> str:
    """The table of k, w and how much denser the query's terms are."""
    documents: dict[str, TokenStream] = {}
    for each in (*corpus.indexed, *corpus.code):
        analysis = analyze_file(each.path, each.text.encode())
        if isinstance(analysis, Analysis):
            documents[each.place] = analysis.tokens
    queries = [
        (each, analyze_snippet(each.text.encode(), language="text").tokens) for each in every if each.kind in EDITS
    ]
    kinds = list(EDITS)
    rows = []
    for k, w in SETTINGS:
        scheme = replace(SCHEMES[TEXT], k=k, w=w)
        held: dict[int, list[str]] = defaultdict(list)
        for place, tokens in documents.items():
            for term in _kept(tokens, scheme, w):
                held[term].append(place)
        postings = sum(map(len, held.values()))
        for denser in DENSER:
            right: dict[str, list[bool]] = defaultdict(list)
            sharing = 0
            for case, tokens in queries:
                scores: dict[str, float] = defaultdict(float)
                for term in _kept(tokens, scheme, w // denser):
                    places = held.get(term, ())
                    for place in places:
                        scores[place] += idf(len(places), len(documents))
                sharing += len(scores)
                is_right = any(
                    place in case.places for place in sorted(scores, key=lambda place: -scores[place])[:BATCH]
                )
                for group in (case.half, case.kind):
                    right[group].append(is_right)
            shares = [f"{sum(right[name]) / len(right[name]):.4f}" for name in ("A", "B", *kinds)]
            rows.append((f"{k}/{w}", str(denser), *shares, f"{postings:,}", f"{sharing / len(queries):.1f}"))
    head = ("k/w", "denser", "half A", "half B", *kinds, "postings of prose", "sharing a term")
    return table(head, rows)


def _kept(tokens: TokenStream, scheme: Scheme, window: int) -> list[int]:
    grams = kgrams(tokens, TEXT, scheme.k)
    kept: list[int] = np.unique(grams.hashes[sample(grams, scheme, window)]).tolist()
    return kept


def document_postings(corpus: Corpus) -> str:
    """The number of terms that the index stores, by representation."""
    total: Counter[str] = Counter()
    for each in (*corpus.indexed, *corpus.code):
        analysis = analyze_file(each.path, each.text.encode())
        if isinstance(analysis, Analysis):
            total.update({name: len(terms) for name, terms in document_terms(analysis.tokens).items()})
    return ", ".join(f"{name} {number:,}" for name, number in total.items())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.prose_sweep", description=__doc__)
    add_options(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        corpus = load(options.sources, options.files, options.seed, folder / "clones")
        every = list(cases(corpus, options.passages, options.seed))
        print(f"postings: {document_postings(corpus)}\n\n{first_stage(corpus, every)}")


if __name__ == "__main__":
    main()

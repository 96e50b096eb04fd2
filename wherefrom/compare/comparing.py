"""Counts, matches and pairs the files of a comparison. The kernel does the same (`native`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter

import numpy as np

from wherefrom.analyzers.hashing import terms
from wherefrom.compare.answer import AnswerMaker
from wherefrom.compare.collection import Collection
from wherefrom.compare.counting import Counted, count_pairs, rarest_weight
from wherefrom.compare.matching import (
    KEPT,
    ComparedText,
    common_code,
    probability_of,
    runs_from_lines,
    unmasked_runs,
    weigh,
)
from wherefrom.compare.pairing import MatchedFiles, clusters, pair_id, paired
from wherefrom.engines.engine import Postings
from wherefrom.engines.terms import narrowed
from wherefrom.fitted import LEAST_SHARED, MANY_RARE_TERMS, RARE_TERMS
from wherefrom.model import OF_TOKENS, BoilerplateSet, Hashes, Representation
from wherefrom.options import CompareOptions
from wherefrom.results import Cluster, CompareCounts, ComparedFile, CutOff, Submission, SubmissionPair
from wherefrom.results.comparison import BINS
from wherefrom.support.values import dataclass, replace

MOST_COMPARED = 50_000
"""At most this many pairs of files are compared token by token: those that share the most for their length."""

Tell = Callable[[str, int, int], None]  # takes the stage, what is done, and the total (`CompareProgress`)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a comparison finds. The other fields are as in `results.Comparison`."""

    counts: CompareCounts
    cut_off: Mapping[CutOff, int]
    files: Sequence[ComparedFile]  # all files, without their statements
    named: frozenset[int]  # the files that are in one of the `pairs`
    submissions: tuple[Submission, ...]
    pairs: tuple[SubmissionPair, ...]
    clusters: tuple[Cluster, ...]
    matches: Sequence[MatchedFiles]  # the pairs of files that match


def compared(
    collection: Collection,
    postings: Iterable[Postings],
    sets: Sequence[BoilerplateSet],
    options: CompareOptions,
    tell: Tell,
) -> Outcome:
    """Compares the files of a collection.

    `postings` has the postings of `collection.members.blobs`, by representation, then term. The code in `sets` is
    ignored. `tell` is called with the progress.
    """
    counted = count_pairs(
        postings, collection.members, max_share=options.max_share, excluded=_terms(sets, collection.engine.term_bits)
    )
    # In a file with only one common term, the term is not ignored, since it may be a coincidence.
    with_common = np.flatnonzero(counted.common_held > 1).tolist()
    blobs, term_bits = collection.blobs, collection.engine.term_bits
    if with_common:
        holders = sorted({collection.files[file].occurrence.blob for file in with_common})
        texts = (ComparedText(blobs[blob], (), term_bits) for blob in holders)
        sets = [*sets, common_code(texts, counted.common)]

    @lru_cache(KEPT)
    def library(blob: str) -> ComparedText:
        return ComparedText(blobs[blob], sets, term_bits)

    cut_off: Counter[CutOff] = Counter()
    chosen = _chosen(counted, cut_off)
    masked = {blob: int(np.count_nonzero(library(blob).masked)) for blob in (blobs if sets else ())}
    marked = [replace(file, boilerplate_tokens=masked.get(file.occurrence.blob, 0)) for file in collection.files]
    collection = replace(collection, files=marked)
    matches: list[MatchedFiles] = []
    for done, number in enumerate(chosen):
        matches += _matched(collection, counted, number, library, options.min_tokens)
        tell("comparing", done, len(chosen))
    pairs = paired(matches, collection, counted.totals)
    rarest = rarest_weight(collection.members.unit_count)
    reviews, names = options.reviews or {}, [submission.name for submission in collection.submissions]
    likely = [
        replace(pair, review=reviews.get(pair_id(names[pair.left], names[pair.right]))) if reviews else pair
        for pair in pairs
        if pair.containment >= options.min_containment
        and pair.probability >= options.min_probability
        and pair.weight >= RARE_TERMS * rarest
    ]
    places = accumulate(not pair.is_dismissed for pair in likely)  # dismissed pairs do not count towards the limit
    is_beyond = [place > options.limit and not pair.is_dismissed for pair, place in zip(likely, places, strict=True)]
    found = [pair for _, pair in sorted(zip(is_beyond, likely, strict=True), key=itemgetter(0))]
    shown = found[: is_beyond.count(False)]
    undismissed = [pair for pair in found if not pair.is_dismissed]
    histogram = Counter(min(BINS - 1, int(pair.similarity * BINS)) for pair in undismissed)
    possible, of_authors = collection.members.possible_pairs()
    cut_off[CutOff.COMMON_TERMS] = sum(map(len, counted.common.values()))
    cut_off[CutOff.TERMS_BEYOND_BUDGET] = counted.unused_terms
    cut_off[CutOff.LIGHT_PAIRS] += counted.dropped_pairs
    cut_off[CutOff.SHORT_PAIRS] = len(chosen) - len(matches)
    cut_off[CutOff.UNLIKELY_PAIRS] = len(pairs) - len(found)
    cut_off[CutOff.PAIRS_BEYOND_LIMIT] = len(found) - len(shown)
    cut_off[CutOff.SHARED_AUTHOR] = of_authors
    answer = AnswerMaker(collection, library)
    linked = tuple(clusters(found, options.cluster_similarity, len(shown)))
    return Outcome(
        counts=CompareCounts(
            submissions=len(collection.submissions),
            files=len(collection.files),
            tokens=sum(file.tokens for file in collection.files),
            boilerplate_tokens=sum(file.boilerplate_tokens for file in collection.files),
            size=sum(file.size for file in collection.files),
            possible_pairs=possible,
            sharing_pairs=len(counted.left),
            compared_pairs=len(chosen),
            found_pairs=len(undismissed),
            dismissed_pairs=len(found) - len(undismissed),
            histogram=tuple(histogram[number] for number in range(BINS)),
        ),
        cut_off={reason: number for reason, number in cut_off.items() if number},
        files=answer.files(),
        named=frozenset(file for pair in shown for match in pair.files for file in match.files),
        submissions=answer.submissions(found, len(shown), linked),
        pairs=tuple(answer.pair(pair) for pair in shown),
        clusters=linked,
        matches=matches,
    )


def _terms(sets: Sequence[BoilerplateSet], term_bits: int) -> dict[Representation, Hashes]:
    terms_of = {}
    for representation in OF_TOKENS if sets else ():
        hashes = [found.hashes[representation] for found in sets if representation in found.hashes]
        terms_of[representation] = narrowed(terms(np.concatenate([np.zeros(0, np.uint64), *hashes])), term_bits)
    return terms_of


def _chosen(counted: Counted, cut_off: Counter[CutOff]) -> list[int]:
    if not len(counted.left):
        return []
    lighter = np.minimum(counted.totals[counted.left], counted.totals[counted.right])
    shares = counted.weights / lighter
    rarest = rarest_weight(counted.frequencies[Representation.EXACT].total)
    is_heavy = (counted.weights >= RARE_TERMS * rarest) & (shares >= LEAST_SHARED)
    likely = np.flatnonzero(is_heavy | (counted.rare_weights >= MANY_RARE_TERMS * rarest))
    cut_off[CutOff.LIGHT_PAIRS] += len(shares) - len(likely)
    if len(likely) > MOST_COMPARED:
        cut_off[CutOff.PAIRS_BEYOND_BUDGET] += len(likely) - MOST_COMPARED
        likely = np.sort(likely[np.argsort(-shares[likely], kind="stable")[:MOST_COMPARED]])
    chosen: list[int] = likely.tolist()
    return chosen


def _matched(
    collection: Collection, counted: Counted, number: int, library: Callable[[str], ComparedText], least: int
) -> Iterator[MatchedFiles]:
    left, right = int(counted.left[number]), int(counted.right[number])
    ours, theirs = (library(collection.files[file].occurrence.blob) for file in (left, right))
    runs = unmasked_runs(ours) if ours is theirs else runs_from_lines(ours, theirs, least=least)
    if runs:
        weighed, weight = weigh(ours, runs, counted.frequencies), float(counted.weights[number])
        likely = probability_of(ours, theirs, runs, weight / math.log1p(collection.members.unit_count))
        yield MatchedFiles(left, right, tuple(runs), weighed, weight, likely, is_identical=ours is theirs)

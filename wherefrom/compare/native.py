"""Compares the files of a collection by the kernel, as `comparing` defines it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.tokens import plain, reading
from wherefrom.compare import answer, comparing, counting
from wherefrom.compare.collection import Collection
from wherefrom.compare.comparing import Outcome, Tell
from wherefrom.compare.counting import weight_of
from wherefrom.compare.matching import ALIGNED, Weighed
from wherefrom.compare.pairing import MatchedFiles
from wherefrom.engines.engine import Postings
from wherefrom.errors import KernelError
from wherefrom.fitted import (
    COMMON,
    COPIED,
    LEAST_RARITY,
    LEAST_SHARED,
    LONGEST,
    MANY_RARE_TERMS,
    ODDS,
    PROSE,
    RARE_TERMS,
    TABLE,
)
from wherefrom.model import OF_TOKENS, TERM_BITS, BoilerplateSet, Representation
from wherefrom.options import CompareOptions
from wherefrom.queries.alignment.aligning import RULES
from wherefrom.queries.alignment.chains import BAND
from wherefrom.queries.alignment.regions import SHORTEST_COMMENT
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.background import background
from wherefrom.results import (
    Cluster,
    CompareCounts,
    ComparedFile,
    CutOff,
    FilePair,
    MatchedRegion,
    Region,
    ReviewState,
    Role,
    Submission,
    SubmissionPair,
)
from wherefrom.results.comparison import BINS

OPTIONS = ("max_share", "min_tokens", "min_containment", "min_probability", "cluster_similarity", "limit")
"""The options that the kernel needs."""


def numbers(term_bits: int) -> dict[str, float]:
    """The numbers of a comparison that no option changes, by the names that the kernel reads."""
    return {
        "common": COMMON,
        "table": TABLE,
        "many_rare_terms": MANY_RARE_TERMS,
        "rare_terms": RARE_TERMS,
        "least_shared": LEAST_SHARED,
        "copied": COPIED,
        "prose": PROSE,
        "band": BAND,
        "shortest_comment": SHORTEST_COMMENT,
        **RULES,
        **{f"odds_{name}": weight for name, weight in ODDS._asdict().items()},
        "longest": LONGEST,
        "least_rarity": LEAST_RARITY,
        **{f"aligned_{representation}": k for representation, k in ALIGNED.items()},
        "bins": BINS,
        "scheme_bits": TERM_BITS,
        "term_bits": term_bits,
        "most_counted": counting.MOST_COUNTED,
        "most_held": counting.MOST_HELD,
        "at_once": counting.AT_ONCE,
        "dense": counting.DENSE,
        "most_compared": comparing.MOST_COMPARED,
        "most_regions": answer.MOST_REGIONS,
        "most_files": answer.MOST_FILES,
    }


def compared(
    collection: Collection,
    postings: Iterable[Postings],
    sets: Sequence[BoilerplateSet],
    options: CompareOptions,
    tell: Tell,
) -> Outcome:
    """Does what `comparing.compared` does; IndexDamaged if a stored token stream cannot be read."""
    native, members = kernel.active(), collection.members
    if native is None:
        raise KernelError("the kernel is not used; call `comparing.compared`")
    stored, nothing = [collection.blobs[blob] for blob in members.blobs], np.zeros(0, np.uint64)

    def load(text: int) -> bytes:
        with reading():
            return plain(stored[text].tokens)

    given = numbers(collection.engine.term_bits) | {name: getattr(options, name) for name in OPTIONS}
    submissions = zip(collection.submissions, members.authors.tolist(), strict=True)
    comparison = native.comparison(
        "".join(f"{name} {value}\n" for name, value in given.items()),
        tokens=np.array([text.token_count for text in stored], np.uint32),
        text_of=members.blob_of.astype(np.uint32),
        submissions=[
            (own.name.encode("utf-8", "surrogatepass"), list(Role).index(own.role), author, len(own.files))
            for own, author in submissions
        ],
        sets=[[found.hashes.get(representation, nothing) for representation in OF_TOKENS] for found in sets],
        model=background().native,
        weights=weight_of(np.arange(max(2, members.unit_count) + 1), members.unit_count),
        load=load,
    )
    for part in postings:
        comparison.take(OF_TOKENS.index(part.representation), part.terms, part.blobs)
    total = comparison.choose()
    with reading():
        for text in comparison.to_mask():
            comparison.mask(text)
    done = 0
    while True:
        with reading():
            steps = comparison.steps()
        if not steps:
            break
        done += steps
        tell("comparing", min(done, total), total)
    reviews = options.reviews or {}
    with reading():
        dismissed = {pair for pair, review in reviews.items() if review.state is ReviewState.DISMISSED}
        found = json.loads(comparison.answer(dismissed))
    size, histogram = sum(file.size for file in collection.files), tuple(found["counts"]["histogram"])
    return Outcome(
        counts=CompareCounts(**{**found["counts"], "size": size, "histogram": histogram}),
        cut_off={CutOff(reason): number for reason, number in found["cut_off"].items()},
        files=[_file(*each) for each in zip(collection.files, found["files"], strict=True)],
        named=frozenset(found["named_files"]),
        submissions=tuple(map(_submission, collection.submissions, found["submissions"])),
        pairs=tuple(
            SubmissionPair(
                **{**pair, "files": tuple(map(_matched_files, pair["files"]))}, review=reviews.get(pair["id"])
            )
            for pair in found["pairs"]
        ),
        clusters=tuple(
            Cluster(tuple(each["submissions"]), tuple(each["pairs"]), each["similarity"]) for each in found["clusters"]
        ),
        matches=[_match(*match) for match in comparison.matches()] if members.has_two_sides else [],
    )


def _submission(own: Submission, found: Mapping[str, Any]) -> Submission:
    names = ("boilerplate_tokens", "best_pair", "best_similarity", "cluster")
    changed = {name: found[name] for name in names if found[name] != getattr(own, name)}
    return replace(own, **changed) if changed else own


def _file(file: ComparedFile, found: Mapping[str, Any]) -> ComparedFile:
    if not found["boilerplate_tokens"]:
        return file
    regions = tuple(_region(region) for region in found["boilerplate"])
    return replace(file, boilerplate_tokens=found["boilerplate_tokens"], boilerplate=regions)


def _matched_files(found: dict[str, Any]) -> FilePair:
    del found["is_translated"]
    return FilePair(**{**found, "regions": tuple(map(_matched, found["regions"]))})


def _matched(found: dict[str, Any]) -> MatchedRegion:
    del found["tokens"]
    found["left"], found["right"] = _region(found["left"]), _region(found["right"])
    found["left_span"], found["right_span"] = tuple(found["left_span"]), tuple(found["right_span"])
    found["representation"] = Representation(found["representation"])
    found["facing"] = _in_pairs(found["facing"])
    return MatchedRegion(**found)


def _region(found: dict[str, Any]) -> Region:
    found["gaps"] = _in_pairs(found["gaps"])
    return Region(**found)


def _in_pairs(values: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(zip(values[::2], values[1::2], strict=True))


def _match(left: int, right: int, runs: Sequence[tuple[int, int, int, float]], is_identical: bool) -> MatchedFiles:
    """Two files that match. What only the answer needs is left out, since the kernel made it."""
    matched = tuple(MatchedRun(shift, begin, end) for shift, begin, end, _ in runs)
    weighed = tuple(Weighed(weight, 0.0, 0) for *_, weight in runs)
    return MatchedFiles(left, right, matched, weighed, 0.0, 0.0, is_identical=is_identical)

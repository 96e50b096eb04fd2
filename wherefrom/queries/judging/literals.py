"""A second look at the best documents: whether they have the literals and names of the query, in the same places.

`renamed` and `p_match` forget literals, and which names are the same where these are further apart than a k-gram is
long, so functions that differ in nothing else are as good as each other there. What the index holds says no more, but
the stored tokens do.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from wherefrom.analyzers.hashing import are_among
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.model import Hashes
from wherefrom.queries.alignment.aligning import Alignment, Document
from wherefrom.queries.alignment.runs import Run
from wherefrom.queries.preparation.query import Query, QueryWindow


def literal_share(query: Query, document: Document, alignment: Alignment) -> float:
    """The share of the query's `literal_grams` that a document has around what matches, 0 to 1; 0 for a query of more
    than one window.
    """
    if not len(query.literal_grams) or len(query.parts) > 1:
        return 0.0
    grams = document.literal_grams
    chains = alignment.chains.values()
    first = min((int(chain.document[0]) for chain in chains), default=0) - len(query.stream)
    last = max((int(chain.document[-1]) for chain in chains), default=0) + len(query.stream)
    low, high = grams.positions.searchsorted((first, last)).tolist()
    return float(np.isin(query.literal_grams, grams.hashes[low:high]).mean())


def literal_place(query: Query, document: Document, share: float) -> int | None:
    """The token of a document at which a stretch as long as the query (of one window) begins that has more of its
    `literal_grams` than this `share`; None where no stretch has. Of equal ones the first.
    """
    wanted = query.literal_grams
    if not len(wanted):
        return None
    grams = document.literal_grams
    is_there = are_among(grams.hashes, wanted)
    hashes, positions = grams.hashes[is_there], grams.positions[is_there]
    least = round(share * len(wanted))
    if len(np.unique(hashes)) <= least:
        return None
    # A k-gram counts in the stretches that hold it and none of its kind before it.
    order = np.lexsort((positions, hashes))
    hashes, ends = hashes[order], positions[order]
    is_again = hashes[1:] == hashes[:-1]
    begins = ends - len(query.stream)
    begins[1:] = np.where(is_again, np.maximum(begins[1:], ends[:-1]), begins[1:])
    counts = np.sort(begins).searchsorted(positions) - np.sort(ends).searchsorted(positions)
    best = int(counts.argmax())
    return int(positions[best]) if counts[best] > least else None


def agreement(query: Query, part: QueryWindow, document: Document, runs: Sequence[Run]) -> float:
    """The share of the tokens of a window that a document has at the same place, 0 to 1. A name counts twice: once
    where it replaces the same name everywhere, and once more where it is that name; and so does a literal. The `runs`
    ascend, none overlapping another; a token between two of them belongs to the nearest.
    """
    if not runs:
        return 0.0
    here = np.flatnonzero(~query.masked[part.begin : part.end]) + part.begin
    middles = [(before.end + after.begin) // 2 for before, after in pairwise(runs)]
    there = here + np.array([run.shift for run in runs])[np.searchsorted(middles, here, side="right")]
    classes = query.stream.classes[here]
    is_name, literal = classes == TokenClass.NAME, is_literal(classes)
    is_inside = (there >= 0) & (there < len(document.stream))
    there = np.where(is_inside, there, 0)
    codes, others = query.stream.codes[here], document.stream.codes[there]
    equal = is_inside & (codes == others)
    faced = is_inside & is_name & (document.stream.classes[there] == TokenClass.NAME)
    twice = np.count_nonzero(is_name | literal)
    same = np.count_nonzero(equal) + np.count_nonzero(equal & literal)
    # A member or function and a variable of one name are two names: only one of them may have been replaced.
    for which in (faced & query.kept[here], faced & ~query.kept[here]):
        same += _replaced(codes[which], others[which])
    return int(same) / (len(here) + int(twice))


def _replaced(names: Hashes, others: Hashes) -> int:
    """How many of some names face that name of the document which each faces the most, and which faces it the most."""
    if not len(names):
        return 0
    ours, rows = np.unique(names, return_inverse=True)
    theirs, columns = np.unique(others, return_inverse=True)
    counts = np.bincount(rows * len(theirs) + columns, minlength=len(ours) * len(theirs)).reshape(
        len(ours), len(theirs)
    )
    # Of two that it faces equally often, the same name counts.
    order = 2 * counts + (ours[:, None] == theirs)
    best, best_of_theirs = order.argmax(axis=1), order.argmax(axis=0)
    numbers = np.arange(len(ours))
    return int(counts[numbers, best][best_of_theirs[best] == numbers].sum())

"""Compares literals and names of the query and of the best documents, to rank functions that have the same form.

The k-grams of `renamed` and `p_match` do not have the values of literals, and do not connect two uses of a name that
are more than k tokens apart. So the index cannot tell apart functions that differ only in these. The stored tokens can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from wherefrom.analyzers.hashing import are_among
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.model import Hashes
from wherefrom.queries.alignment.aligning import Alignment, DocumentTokens
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.query import Query, QueryWindow


def literal_share(query: Query, document: DocumentTokens, alignment: Alignment) -> float:
    """The share of the query's `literal_grams` that a document has around its chains; 0 for a query of many windows."""
    if not len(query.literal_grams) or len(query.parts) > 1:
        return 0.0
    grams = document.literal_grams
    chains = alignment.chains.values()
    first = min((int(chain.document[0]) for chain in chains), default=0) - len(query.stream)
    last = max((int(chain.document[-1]) for chain in chains), default=0) + len(query.stream)
    low, high = grams.positions.searchsorted((first, last)).tolist()
    return float(np.isin(query.literal_grams, grams.hashes[low:high]).mean())


def literal_place(query: Query, document: DocumentTokens, share: float) -> int | None:
    """Finds the stretch of a document with most of the query's `literal_grams`, as long as the query (of one window).

    Returns:
        The first token of the first such stretch; None if its share of the k-grams is not larger than `share`.
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
    # Of equal k-grams in a stretch, only the first counts.
    order = np.lexsort((positions, hashes))
    hashes, ends = hashes[order], positions[order]
    is_again = hashes[1:] == hashes[:-1]
    begins = ends - len(query.stream)
    begins[1:] = np.where(is_again, np.maximum(begins[1:], ends[:-1]), begins[1:])
    counts = np.sort(begins).searchsorted(positions) - np.sort(ends).searchsorted(positions)
    best = int(counts.argmax())
    return int(positions[best]) if counts[best] > least else None


def agreement(query: Query, part: QueryWindow, document: DocumentTokens, runs: Sequence[MatchedRun]) -> float:
    """The share of the tokens of a window that a document has at the same place, 0 to 1.

    A name counts twice: once if it is the same in the document, and once if the document replaces it by the same name
    everywhere. A literal counts twice if it is the same. The `runs` ascend without overlaps; a token between two runs
    belongs to the nearer one.
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
    # A variable may have the same name as a member or function. Both are counted apart, since only one may be renamed.
    for which in (faced & query.kept[here], faced & ~query.kept[here]):
        same += _replaced(codes[which], others[which])
    return int(same) / (len(here) + int(twice))


def _replaced(names: Hashes, others: Hashes) -> int:
    """How many of the names face their partner. A name of the query and a name of the document are partners if each
    faces the other most often.
    """
    if not len(names):
        return 0
    ours, rows = np.unique(names, return_inverse=True)
    theirs, columns = np.unique(others, return_inverse=True)
    counts = np.bincount(rows * len(theirs) + columns, minlength=len(ours) * len(theirs)).reshape(
        len(ours), len(theirs)
    )
    # A name's partner is the name that it faces most often. In a tie, an equal name is preferred.
    order = 2 * counts + (ours[:, None] == theirs)
    best, best_of_theirs = order.argmax(axis=1), order.argmax(axis=0)
    numbers = np.arange(len(ours))
    return int(counts[numbers, best][best_of_theirs[best] == numbers].sum())

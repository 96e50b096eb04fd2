"""A second look at the best documents: whether they have the literals and names of the query, in the same places.

`renamed` and `p_match` forget literals, and which names are the same where these are further apart than a k-gram is
long, so functions that differ in nothing else are as good as each other there. What the index holds says no more, but
the stored tokens do.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import are_among, kgram_hashes
from wherefrom.analyzers.representations import CALL_MARK
from wherefrom.analyzers.tokens import TokenClass, is_literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from wherefrom.model import Hashes
    from wherefrom.queries.alignment import Alignment, Document
    from wherefrom.queries.prepare import Part, Query
    from wherefrom.queries.regions import Run


LEAST_LITERALS = 8
"""Literals that match from which on it tells something that none of them is the same."""

TELLING_LITERALS = 3
"""Different literals that tell code of one form apart, if all of them are the same: a 0 and a 1 do not."""

CHANCE = 8
"""One literal in so many that match may be the same by chance, such as a 0."""

HAS_LITERALS = 0.5
"""The `literal_share` from which on a document has the rows of a query, although others of one form may be shown."""

LITERAL_PART = 5
"""A table by its literals: one token in so many that match is one."""

NAME_PART = 4
"""Nor has it more names that are the same than a literal for each of so many. A name that is not called weighs the less
the more often it comes, for the fields of its rows are the shape of a table.
"""

ROW, REPEATED = 6, 2
"""A table by its rows: of the k-grams of so many tokens, names and literals left open, each comes so many times."""


def is_same_shape_alone(query: Query, begin: int, end: int, document: Document, runs: Iterable[Run]) -> bool:
    """Whether what matches is a table of which only the shape agrees: nearly each of its literals is another one in the
    document, and hardly a name is the same.

    Args:
        query: the whole query.
        begin: the first of its tokens that count.
        end: the token behind the last of them.
        document: the document.
        runs: what matches of these tokens; they may overlap.
    """
    span = slice(begin, end)
    if np.count_nonzero(is_literal(query.stream.classes[span])) < LEAST_LITERALS:
        return False
    codes, classes, other = query.stream.codes[span], query.stream.classes[span], document.stream.codes
    matched, equal = np.zeros(len(codes), np.bool_), np.zeros(len(codes), np.bool_)
    for run in runs:
        here = slice(run.begin - begin, run.end - begin)
        matched[here] = True
        equal[here] |= codes[here] == other[run.begin + run.shift : run.end + run.shift]
    matched &= ~query.masked[span]
    literals = matched & is_literal(classes)
    number, same = int(np.count_nonzero(literals)), int(np.count_nonzero(literals & equal))
    if number < LEAST_LITERALS or same * CHANCE > number:
        return False
    is_name = classes == TokenClass.NAME
    is_called = is_name & np.append(codes[1:] == CALL_MARK, np.False_)
    names = matched & equal & is_name
    rows_of_names = np.unique(codes[names & ~is_called], return_counts=True)[1]
    told = len(np.unique(codes[names & is_called])) + float((1 / rows_of_names).sum())
    if told * NAME_PART > number:
        return False
    is_dense = not same and number * LITERAL_PART >= int(np.count_nonzero(matched))
    if calls := 0 if np.any(names) else int(np.count_nonzero(matched & is_called)):
        # Calls are code, of which every name may have been changed, but for a few beside many literals.
        return is_dense and calls * CHANCE < number
    return is_dense or _has_rows(codes, classes, matched)


def _has_rows(codes: Hashes, classes: NDArray[np.uint8], matched: NDArray[np.bool_]) -> bool:
    """Whether the tokens that match repeat themselves, names and literals left open."""
    is_open = (classes == TokenClass.NAME) | is_literal(classes)
    grams = kgram_hashes(np.where(is_open, classes, codes), ROW)
    inside = np.convolve(matched, np.ones(ROW, np.int64), "valid") == ROW if len(grams) else matched[:0]
    rows = grams[inside]
    return bool(len(rows)) and len(np.unique(rows)) * REPEATED <= len(rows)


def is_copied(query: Query, part: Part, document: Document, runs: Iterable[Run]) -> bool:
    """Whether all of a window matches and nothing of it differs; or nothing but names, where it has enough different
    literals to tell it from what everyone writes in the same form. What an idiom itself has as a literal does not tell.

    Args:
        query: the whole query.
        part: the window of it.
        document: the document.
        runs: what matches, none overlapping another on the query's side.
    """
    inside = slice(part.begin, part.end)
    codes, other = query.stream.codes[inside], document.stream.codes
    counts = ~query.masked[inside]
    is_matched, is_same = np.zeros(len(codes), np.bool_), np.zeros(len(codes), np.bool_)
    for run in runs:
        begin, end = max(run.begin, part.begin), min(run.end, part.end)
        if begin < end:
            here = slice(begin - part.begin, end - part.begin)
            is_matched[here] = True
            is_same[here] = codes[here] == other[begin + run.shift : end + run.shift]
    if np.any(counts & ~is_matched):
        return False
    if not np.any(counts & ~is_same):
        return True
    literals = counts & is_literal(query.stream.classes[inside])
    telling = literals & ~query.substance.idiom_literals[inside]
    return not np.any(literals & ~is_same) and len(np.unique(codes[telling])) >= TELLING_LITERALS


def same_literals(query: Query, document: Document, runs: Iterable[Run]) -> float:
    """The share of the literals that match which are the same, 0 to 1, one that is the same added to them: so code
    without a literal has 1, and one literal that differs says less than several.

    Args:
        query: the whole query.
        document: the document.
        runs: what matches.
    """
    codes, other = query.stream.codes, document.stream.codes
    number = same = 1
    for run in runs:
        inside = is_literal(query.stream.classes[run.begin : run.end])
        equal = codes[run.begin : run.end] == other[run.begin + run.shift : run.end + run.shift]
        number += int(np.count_nonzero(inside))
        same += int(np.count_nonzero(inside & equal))
    return same / number


def literal_share(query: Query, document: Document, alignment: Alignment) -> float:
    """The share of the query's `literal_grams` that a document has around what matches, 0 to 1; 0 for a query of more
    than one window.

    Args:
        query: the whole query.
        document: the document.
        alignment: of it.
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
    """The token of a document at which a stretch as long as the query begins that has more of the query's
    `literal_grams` than this share; None where no stretch has. Of equal ones the first.

    Args:
        query: the whole query, of one window.
        document: the document.
        share: as `literal_share` gives it.
    """
    wanted = query.literal_grams
    if not len(wanted):
        return None
    grams = document.literal_grams
    held = are_among(grams.hashes, wanted)
    hashes, positions = grams.hashes[held], grams.positions[held]
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


def agreement(query: Query, part: Part, document: Document, runs: Sequence[Run]) -> float:
    """The share of the tokens of a window that a document has at the same place, 0 to 1. A name counts twice: once
    where it replaces the same name everywhere, and once more where it is that name; and so does a literal.

    Args:
        query: the whole query.
        part: the window of it.
        document: the document.
        runs: what matches, ascending, none overlapping another; a token between two of them belongs to the nearest.
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

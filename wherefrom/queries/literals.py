"""A second look at the best documents: whether they have the literals of the query as well, in the same places.

`renamed` and `p_match` forget literals, so functions that differ in nothing else are as good as each other there. What
the index holds says no more, but the stored tokens do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import kgram_hashes
from wherefrom.analyzers.representations import CALL_MARK
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.queries.regions import aligned_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from wherefrom.model import Hashes
    from wherefrom.queries.alignment import Alignment, Document
    from wherefrom.queries.prepare import Part, Query
    from wherefrom.queries.regions import Run


LEAST_LITERALS = 8
"""Literals that match from which on it tells something that none of them is the same."""

CHANCE = 8
"""One literal in so many that match may be the same by chance, such as a 0."""

LITERAL_PART = 4
"""A table by its literals: one token in so many that match is one. Nor has it more names than a literal for each of
so many.
"""

ROW, REPEATED = 6, 2
"""A table by its rows: of the k-grams of so many tokens, names and literals left open, each comes so many times."""


def is_same_shape_alone(query: Query, part: Part, document: Document, alignment: Alignment) -> bool:
    """Whether what matches is a table of which only the shape agrees: nearly each of its literals is another one in the
    document, and hardly a name is the same.

    Args:
        query: the whole query.
        part: the window of it.
        document: the document.
        alignment: of both.
    """
    span = slice(part.begin, part.end)
    if np.count_nonzero(is_literal(query.stream.classes[span])) < LEAST_LITERALS:
        return False
    codes, classes, other = query.stream.codes[span], query.stream.classes[span], document.stream.codes
    matched, equal = np.zeros(len(codes), np.bool_), np.zeros(len(codes), np.bool_)
    for run in aligned_runs(alignment):
        here = slice(run.begin - part.begin, run.end - part.begin)
        matched[here] = True
        equal[here] |= codes[here] == other[run.begin + run.shift : run.end + run.shift]
    matched &= ~query.masked[span]
    literals = matched & is_literal(classes)
    number, same = np.count_nonzero(literals), np.count_nonzero(literals & equal)
    if number < LEAST_LITERALS or same * CHANCE > number:
        return False
    is_name = classes == TokenClass.NAME
    names = codes[matched & equal & is_name]
    if len(np.unique(names)) * LITERAL_PART > number:
        return False
    if not len(names) and np.any(matched[:-1] & is_name[:-1] & (codes[1:] == CALL_MARK)):
        # Calls in a row are code, of which every name may have been changed.
        return False
    is_dense = not same and number * LITERAL_PART >= np.count_nonzero(matched)
    return bool(is_dense) or _has_rows(codes, classes, matched)


def _has_rows(codes: Hashes, classes: NDArray[np.uint8], matched: NDArray[np.bool_]) -> bool:
    """Whether the tokens that match repeat themselves, names and literals left open."""
    is_open = (classes == TokenClass.NAME) | is_literal(classes)
    grams = kgram_hashes(np.where(is_open, classes, codes), ROW)
    inside = np.convolve(matched, np.ones(ROW, np.int64), "valid") == ROW if len(grams) else matched[:0]
    rows = grams[inside]
    return bool(len(rows)) and len(np.unique(rows)) * REPEATED <= len(rows)


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

"""A second look at the best documents: whether they have the literals of the query as well, in the same places.

`renamed` and `p_match` forget literals, so functions that differ in nothing else are as good as each other there. What
the index holds says no more, but the stored tokens do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.tokens import TokenClass
from wherefrom.queries.regions import aligned_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wherefrom.queries.alignment import Alignment, Document
    from wherefrom.queries.prepare import Query
    from wherefrom.queries.regions import Run


LEAST_LITERALS = 8
"""Literals that match from which on it tells something that none of them is the same."""

LITERAL_PART = 4
"""One token in so many that match has to be a literal there: a table, and no code with a few constants."""


def differs_in_all_literals(query: Query, document: Document, alignment: Alignment) -> bool:
    """Whether what matches is a table of which only the shape agrees: it has many literals, each of them is another one
    in the document, and hardly a name is the same.

    Args:
        query: the whole query.
        document: the document.
        alignment: of it.
    """
    stream, other = query.stream, document.stream
    matched, equal = np.zeros(len(stream), np.bool_), np.zeros(len(stream), np.bool_)
    for run in aligned_runs(alignment):
        there = slice(run.begin + run.shift, run.end + run.shift)
        matched[run.begin : run.end] = True
        equal[run.begin : run.end] |= stream.codes[run.begin : run.end] == other.codes[there]
    matched &= ~query.masked
    literals = matched & query.is_literal
    number = np.count_nonzero(literals)
    if number < LEAST_LITERALS or number * LITERAL_PART < np.count_nonzero(matched) or np.any(equal & literals):
        return False
    names = stream.codes[matched & equal & (stream.classes == TokenClass.NAME)]
    return len(np.unique(names)) * LITERAL_PART < int(number)


def same_literals(query: Query, document: Document, runs: Iterable[Run]) -> float:
    """The share of the literals that match which are the same, 0 to 1, one that is the same added to them: so code
    without a literal has 1, and one literal that differs says less than several.

    Args:
        query: the whole query.
        document: the document.
        runs: what matches.
    """
    is_literal, codes, other = query.is_literal, query.stream.codes, document.stream.codes
    number = same = 1
    for run in runs:
        inside = is_literal[run.begin : run.end]
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

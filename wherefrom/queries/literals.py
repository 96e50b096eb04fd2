"""A second look at the best documents: whether they have the literals of the query as well, in the same places.

`renamed` and `p_match` forget literals, so functions that differ in nothing else are as good as each other there. What
the index holds says no more, but the stored tokens do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from wherefrom.queries.alignment import Alignment, Document
    from wherefrom.queries.prepare import Query


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

"""Measures of a ranking, as the Siamese papers (Ragkhitwetsagul and Krinke) define them.

A ranking is given as its judgements: for each document, best first, whether it is relevant. `relevant` is how many
relevant documents there are, found or not; at least 1. Every measure of one ranking is from 0 to 1; MAP, MRR and ARP
are the means of `average_precision`, `reciprocal_rank` and `r_precision` over all queries.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate


def judged(ranked: Iterable[str], relevant: Collection[str], query: str, *, count_query: bool) -> list[bool]:
    """The judgements of a ranking.

    Args:
        ranked: the documents, best first, with or without the query itself.
        relevant: the documents to be found, without the query.
        query: the document that was the query.
        count_query: whether the query itself counts as one more relevant document, as in Siamese, or is left out.
    """
    if count_query:
        return [document == query or document in relevant for document in ranked]
    return [document in relevant for document in ranked if document != query]


def average_precision(judgements: Sequence[bool], relevant: int) -> float:
    """The precisions at the ranks of the relevant documents, summed and divided by `relevant`: a missing one adds 0."""
    _check(judgements, relevant)
    found = accumulate(judgements)
    return sum(n / rank for rank, (n, right) in enumerate(zip(found, judgements, strict=True), 1) if right) / relevant


def reciprocal_rank(judgements: Sequence[bool]) -> float:
    """The reciprocal rank of the first relevant document, or 0 if there is none."""
    return next((1 / rank for rank, right in enumerate(judgements, 1) if right), 0.0)


def recall_at(judgements: Sequence[bool], relevant: int, k: int) -> float:
    """The share of the relevant documents that is among the first k."""
    _check(judgements, relevant)
    return sum(judgements[:k]) / relevant


def r_precision(judgements: Sequence[bool], relevant: int) -> float:
    """The share of relevant documents among the first `relevant`."""
    return recall_at(judgements, relevant, relevant)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return sum(values) / len(values)


def share(right: Sequence[bool]) -> str:
    """A share with its 95% interval (Wilson), as text; empty for no values."""
    if not right:
        return ""
    rate, spread = sum(right) / len(right), 1.96**2 / len(right)
    middle, half = rate + spread / 2, math.sqrt(spread * (rate * (1 - rate) + spread / 4))
    return f"{rate:.3f} ({(middle - half) / (1 + spread):.3f} to {(middle + half) / (1 + spread):.3f})"


def _check(judgements: Sequence[bool], relevant: int) -> None:
    if relevant < max(1, sum(judgements)):
        raise ValueError(f"{relevant} relevant documents, but {sum(judgements)} of them in the ranking")

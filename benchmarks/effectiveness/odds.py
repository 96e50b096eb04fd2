"""Fits the rule that decides what is a copy (`wherefrom.queries.judging.odds`).

    python -m benchmarks.effectiveness.odds WORK [WORK ...]

A WORK is a folder that `benchmarks.effectiveness.evidence draw` has written. A row is a candidate of a query: its bits,
the length of the query, and the rarity. If it is not the true file, although the query has one, it is left out, because
many such candidates are related to the query. One candidate answers a query, so the weights are fitted, in rounds, on
the most probable candidate of each query. All queries without a copy together count `MIX` times as much as all with
one.

It prints the weights, and those of each half of the projects; the two must agree.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.effectiveness.drawing import Case
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError
from wherefrom.fitted import LEAST_RARITY, LONGEST, Odds
from wherefrom.options import SearchOptions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.judging.judging import Judge
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.snippet import Readings

ROUNDS, STEPS = 8, 100

PULL = 0.1
"""How strongly the regression pulls weights to 0, in standard deviations of their values."""

MIX = 1.0
"""How many queries without a copy there are for each query with a copy. The probabilities hold for this mix."""

_NEVER = 2.0
"""No probability is as high, so the judge refuses all candidates and keeps what it knows about them."""

Rows = NDArray[np.float64]
"""A row for each candidate: the number of the query; 1 for the true file, else 0; bits, tokens, rarity."""


def rows_of(engine: Engine, case: Case, number: int, admitted: AdmittedBlobs, analyzer: Analyzer) -> Iterator[Rows]:
    """The rows of a query."""
    options = SearchOptions(name=case.name)
    try:
        tokens = Readings(case.code.encode(), options, analyzer).likely.snippet.tokens
    except AnalysisError:
        return
    query = prepare(tokens, engine)
    candidates = Candidates(engine, query.looked_up, Filters.of(engine, options), admitted)
    judge = Judge(query, refused=len(query.parts) * 10_000)
    true, near = ({(at["repository"], at["path"]) for at in places} for places in (case.places, case.near))
    rarest: dict[str, float] = {}
    for part in query.parts:
        for candidate in candidates.with_locations(next(candidates.batches(part.terms), [])):
            judge.judge(part, candidate, _NEVER)
            blob = candidate.blob.blob
            rarest[blob] = max(rarest.get(blob, 0.0), candidate.score / query.looked_up.unit)
    for blob, found in judge.refused.items():
        places = {(at.repository, at.path) for at in candidates.places[blob]}
        if places & true or not (places & near or true):
            is_true = float(bool(places & true))
            yield np.array([number, is_true, found.aligned.bits, query.counted, rarest[blob]])


def weights(rows: Rows) -> Odds:
    """The weights that separate the true files from others."""
    values = np.column_stack(
        (
            rows[:, 2],
            np.log(np.minimum(rows[:, 3], LONGEST)),
            np.log(np.maximum(rows[:, 4], LEAST_RARITY)),
            np.ones(len(rows)),
        )
    )
    means, spread = values.mean(0), values.std(0)
    means[-1], spread[-1] = 0.0, 1.0
    scaled = (values - means) / spread
    is_true, query = rows[:, 1] == 1, rows[:, 0].astype(np.int64)
    has_copy = np.bincount(query, is_true) > 0
    asked = np.bincount(query) > 0
    share = np.where(has_copy, 1.0, MIX * has_copy.sum() / (asked & ~has_copy).sum())
    chosen, counts = np.arange(len(rows)), np.bincount(query)
    found = np.zeros(4)
    for _ in range(ROUNDS):
        found = _fitted(scaled[chosen], is_true[chosen], share[query[chosen]] / counts[query[chosen]])
        order = np.lexsort((-(scaled @ found), query))
        chosen = order[np.flatnonzero(np.diff(query[order], prepend=-1))]
        counts = np.ones_like(counts)
    found /= spread
    found[-1] -= float(found[:-1] @ means[:-1])
    return Odds(*found.tolist())


def _fitted(values: Rows, is_true: NDArray[np.bool_], share: Rows) -> Rows:
    """Logistic regression by Newton's method."""
    found, pull = np.zeros(values.shape[1]), np.array([PULL, PULL, PULL, 1e-6])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(values @ found, -30, 30)))
        slope = values.T @ (share * (likely - is_true)) + pull * found
        curve = (values * (share * likely * (1 - likely))[:, None]).T @ values + np.diag(pull)
        step = np.linalg.solve(curve, slope)
        found = found - step * min(1.0, 1.5 / (np.abs(step).max() + 1e-9))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.odds", description=__doc__)
    parser.add_argument("work", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1, help="use one query in N")
    options = parser.parse_args()
    cases: list[Case] = []
    rows: list[Rows] = []
    for work in options.work:
        begin = len(cases)
        cases += [Case(**json.loads(line)) for line in (work / "cases.jsonl").read_text().splitlines()]
        with closing(open_engine(work / "index.wherefrom", schemes=scheme_ids())) as engine:
            admitted, analyzer = AdmittedBlobs(engine), Analyzer()
            for number in range(begin, len(cases), options.every):
                rows += rows_of(engine, cases[number], number, admitted, analyzer)
    table = np.array(rows)
    half = np.array([case.half == "A" for case in cases])[table[:, 0].astype(np.int64)]
    for name, which in (("all", np.ones_like(half)), ("half A", half), ("half B", ~half)):
        print(name, {key: round(value, 4) for key, value in weights(table[which])._asdict().items()})


if __name__ == "__main__":
    main()

"""Fits the rule that decides what is a copy (`wherefrom.queries.judging.rule`), and measures how good it is.

    python -m benchmarks.effectiveness.rule WORK

WORK is a folder that `benchmarks.effectiveness.draws` has written. A row is a candidate that shares more with a query
than others do by chance: its signs, and whether it is the file that the query was made from. If it is not, although the
query has such a file, it is left out, because many such candidates are related to the query. One candidate that reaches
a band answers its query, so the weights are fitted, in rounds, on the most probable candidate of each query. All
queries without a copy together count `MIX` times as much as all with one.

The first table has the weights, each with its standard error over `RESAMPLES` samples of the queries. The second one
has the number of queries of each kind that reach each band, by weights that were fitted on the other half of the
projects. The third one has the share of copies among the answers of each band. With `--judge` nothing is fitted: the
tables are those of the weights in use.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from wherefrom.queries.judging.rule import ANSWER, FAIR, STRONG, values

from benchmarks.effectiveness.drawing import Case
from benchmarks.timing import table
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError
from wherefrom.fitted import WEIGHTS, Weights
from wherefrom.options import SearchOptions
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.judging.judging import Judge
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.snippet import analyze_query

FIRST = 20
"""The highest number of candidates of each window that become rows."""

ROUNDS, RESAMPLES = 4, 20

PULL = 0.1
"""How strongly the regression pulls weights to 0, in standard deviations of their signs."""

MIX = 2.0
"""How many queries without a copy there are for each query with a copy. The probabilities hold for this mix."""

UNRELATED = "unrelated"

NOT_FITTED = "unrelated script of idioms"
"""A program made these queries out of known texts, so they are reported but not fitted to."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Candidates of all queries.

    Attributes:
        query: int64, the number of the query of each row.
        signs: float64 of shape (rows, signs), in the order of `Weights` without the bias.
        windows: float64, the number of windows of the query.
        is_copy: bool, whether the candidate is the original.
    """

    query: NDArray[np.int64]
    signs: NDArray[np.float64]
    windows: NDArray[np.float64]
    is_copy: NDArray[np.bool_]

    def of(self, which: NDArray[np.bool_]) -> Rows:
        """Some of the rows."""
        return Rows(self.query[which], self.signs[which], self.windows[which], self.is_copy[which])

    def log_odds(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """The log odds of each row."""
        found: NDArray[np.float64] = self.signs @ np.array(weights[:-1]) + weights[-1] - np.log(self.windows)
        return found


def rows_of(
    engine: Engine, case: Case, number: int, admitted: AdmittedBlobs, analyzer: Analyzer
) -> Iterator[tuple[float, ...]]:
    """The rows of a query: its number, its number of windows, whether the candidate is the original, and the signs."""
    try:
        code = analyze_query(
            case.code.encode(), name=case.name, language=case.language or None, lines=None, analyzer=analyzer
        )
    except AnalysisError:
        return
    query = prepare(code.tokens, engine)
    candidates, judge = (
        Candidates(engine, query.looked_up, Filters.of(engine, SearchOptions()), admitted),
        Judge(query),
    )
    originals = {(place["repository"], place["path"]) for place in case.places}
    for part in query.parts:
        batch = candidates.batch(part.terms, 0)
        scores = [candidate.score for candidate in batch]
        judged = [judge.judge(part, candidate, scores, 0.0) for candidate in batch[:FIRST]]
        candidates.with_locations(batch[:FIRST])
        for found in judged:
            if found is None or not found.signs.shared:
                continue
            places = candidates.places[found.document.blob.blob]
            is_copy = any((place.repository, place.path) in originals for place in places)
            if is_copy or not originals:
                yield number, query.windows, is_copy, *values(found.signs)


def collected(cases: Sequence[Case], index: Path) -> Rows:
    """The rows of all queries."""
    rows: list[tuple[float, ...]] = []
    analyzer = Analyzer()
    with closing(open_engine(index, schemes=scheme_ids())) as engine:
        admitted = AdmittedBlobs(engine)
        for number, case in enumerate(cases):
            rows += rows_of(engine, case, number, admitted, analyzer)
    found = np.array(rows)
    return Rows(found[:, 0].astype(np.int64), found[:, 3:], found[:, 1], found[:, 2] > 0)


def fitted(rows: Rows, counts: NDArray[np.float64]) -> Weights:
    """The weights of the rule; `counts` has the weight of each query."""
    mean, spread = rows.signs.mean(axis=0), rows.signs.std(axis=0) + 1e-9
    columns = np.hstack([(rows.signs - mean) / spread, np.ones((len(rows.signs), 1))])
    offset = -np.log(rows.windows)
    # In the first round all candidates of a query count, each with an equal part of the query's weight.
    number = np.bincount(rows.query, minlength=len(counts))
    weights = _regression(columns, offset, rows.is_copy, counts[rows.query] / number[rows.query])
    for _ in range(ROUNDS):
        best = most_probable(rows, columns @ weights + offset)
        weights = _regression(columns[best], offset[best], rows.is_copy[best], counts[rows.query[best]])
    plain = weights[:-1] / spread
    return Weights(*(*plain.tolist(), float(weights[-1] - plain @ mean)))


def most_probable(rows: Rows, log_odds: NDArray[np.float64]) -> NDArray[np.int64]:
    """The index of the most probable row of each query."""
    order = np.lexsort((-log_odds, rows.query))
    best: NDArray[np.int64] = order[np.append(True, np.diff(rows.query[order]) != 0)]
    return best


def _regression(
    columns: NDArray[np.float64], offset: NDArray[np.float64], is_copy: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Logistic regression by Newton's method."""
    weights = np.zeros(columns.shape[1])
    pull = np.append(np.full(len(weights) - 1, PULL), 0.0)
    for _ in range(30):
        odds = 1 / (1 + np.exp(-np.clip(columns @ weights + offset, -30, 30)))
        slope = columns.T @ (counts * (odds - is_copy)) + pull * weights
        bend = (columns * (counts * odds * (1 - odds))[:, None]).T @ columns + np.diag(pull + 1e-9)
        weights -= np.linalg.solve(bend, slope)
    return weights


def counted(cases: Sequence[Case], has_copy: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weight of each query: those without a copy have together `MIX` times the weight of those with one."""
    is_fitted = np.array([case.kind != NOT_FITTED for case in cases])
    return np.where(has_copy, 1.0, is_fitted * MIX * has_copy.sum() / max((is_fitted & ~has_copy).sum(), 1))


def best_of(rows: Rows, weights: Sequence[float], queries: int) -> NDArray[np.float64]:
    """The highest probability among the candidates of each query; 0 for a query without candidates."""
    best = np.zeros(queries)
    np.maximum.at(best, rows.query, 1 / (1 + np.exp(-rows.log_odds(weights))))
    return best


def report(cases: Sequence[Case], rows: Rows, *, judge: bool) -> Iterator[str]:
    """The tables."""
    has_copy = np.array([bool(case.places) for case in cases])
    counts = counted(cases, has_copy)
    if judge:
        best = best_of(rows, WEIGHTS, len(cases))
        yield table(("weights", *Weights._fields), [("in use", *(f"{weight:.2f}" for weight in WEIGHTS))])
    else:
        chance = np.random.default_rng(1)
        samples = [
            fitted(rows, counts * np.bincount(chance.integers(0, len(cases), len(cases)), minlength=len(cases)))
            for _ in range(RESAMPLES)
        ]
        lines = [
            ("in use", *(f"{weight:.2f}" for weight in WEIGHTS)),
            ("fitted", *(f"{weight:.2f}" for weight in fitted(rows, counts))),
            ("standard error", *(f"{error:.2f}" for error in np.std(samples, axis=0))),
        ]
        yield table(("weights", *Weights._fields), lines)
        typical = rows.of(rows.is_copy).signs.mean(axis=0) * np.array(fitted(rows, counts)[:-1])
        yield table(("", *Weights._fields[:-1]), [("what copies have", *(f"{odds:.2f}" for odds in typical))])
        best = np.zeros(len(cases))
        half = np.array([case.half == "B" for case in cases])
        for side in (half, ~half):
            others = fitted(rows.of(~side[rows.query]), counts)
            own = rows.of(side[rows.query])
            best = np.maximum(best, best_of(own, others, len(cases)))
    kinds = sorted({case.kind for case in cases}, key=lambda kind: (kind.startswith(UNRELATED), kind))
    of_kind = np.array([case.kind for case in cases])
    yield table(
        ("queries", "number", "answered", "fair or strong", "strong"),
        [
            (
                kind,
                f"{np.count_nonzero(of_kind == kind):,}",
                *(f"{np.count_nonzero(best[of_kind == kind] >= least):,}" for least in (ANSWER, FAIR, STRONG)),
            )
            for kind in kinds
        ],
    )
    bands = ((ANSWER, FAIR), (FAIR, STRONG), (STRONG, 1.01))
    shares = []
    for low, high in bands:
        inside = (best >= low) & (best < high)
        total = counts[inside].sum()
        share = f"{counts[inside & has_copy].sum() / total:.3f}" if total else ""
        shares.append((f"{low:.1f} to {min(high, 1.0):.1f}", f"{np.count_nonzero(inside):,}", share))
    yield table(("stated probability", "queries", "share that are copies"), shares)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.rule", description=__doc__)
    parser.add_argument("work", type=Path, help="folder with index.wherefrom and cases.jsonl")
    parser.add_argument("--judge", action="store_true", help="fit nothing; say what the weights in use are worth")
    parser.add_argument("--every", type=int, default=1, help="use only every Nth query of each kind (default: 1)")
    options = parser.parse_args()
    cases = [Case(**json.loads(line)) for line in (options.work / "cases.jsonl").read_text().splitlines()]
    places: Counter[str] = Counter()
    thinned = []
    for case in cases:
        if not places[case.kind] % options.every:
            thinned.append(case)
        places[case.kind] += 1
    cases = thinned
    rows = collected(cases, options.work / "index.wherefrom")
    print(f"{len(cases):,} queries, {len(rows.query):,} candidates\n")
    print("\n\n".join(report(cases, rows, judge=options.judge)))


if __name__ == "__main__":
    main()

"""What each sign of a copy weighs (`wherefrom.queries.substance.WEIGHTS`), by logistic regression.

A row is a candidate of a query of `whole`: of a changed program, or of an edited function of an indexed file, the
original; of what is in no index every candidate, but for answers that were read and are copies. A query is answered if
one of its candidates is, so the weights are fitted on the best one of each, in rounds. They are for all draws that are
given; beside them is what those of all draws but one are worth on the one that was left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.effectiveness.programs import DRAWS, Draw, files, some
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import VARIANTS, functions, is_editable, text
from benchmarks.effectiveness.whole import COPIES, Query, changed, strangers, thinned, unrelated_functions
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.options import SearchOptions
from wherefrom.queries.candidates import BATCH, Candidates
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.prepare import prepare
from wherefrom.queries.regions import Sides, aligned_runs, ordered_runs
from wherefrom.queries.substance import ENOUGH, WEIGHTS, Match, Signs, chance_score

EDITED = 45
"""Functions of each language that are edited in every way."""

FUNCTION_LINES = (6, 40)
MOST_OF_ONE = 3.0
"""What all candidates of one query count as together at most, in the first round."""

ROUNDS = 4
"""After the first round, the best candidate of each query by the weights of the round before counts alone."""

PULL = 0.5
"""How much weights are pulled to 0."""

MARGIN = -0.8
"""What is asked for above even odds: a copy that is missed costs more than a false answer."""


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate: the name of its query, its signs, whether it is the original, and what it counts as."""

    query: str
    signs: Signs
    is_copy: bool
    weight: float


def edited(clones: Path, draw: Draw) -> Iterator[Query]:
    """Functions of indexed programs in every variant."""
    for language, projects in draw.programs.items():
        chance = random.Random(f"{draw.seed} {language} edited")
        found = list(files(clones, language, projects))
        left = EDITED if language in SHAPES else 0
        for program in some(found, len(found), f"{language} edited", draw.seed):
            analysis = analyze_file(program.path, program.content)
            if not left:
                break
            if not isinstance(analysis, Analysis) or analysis.language != language:
                continue
            fitting = [
                each for each in functions(language, program.content, analysis, FUNCTION_LINES) if is_editable(each)
            ]
            if fitting:
                left -= 1
                function = chance.choice(fitting)
                for variant, change in VARIANTS.items():
                    code = text(change(function, chance)).encode()
                    yield Query(f"edited, {variant}", program.place, language, code, program.place)


def rows_of(engine: Engine, query: Query, originals: frozenset[str], admitted: AdmittedBlobs) -> list[Row]:
    """The candidates of a query that may be an answer; of one that has an original that one alone."""
    prepared = prepare(analyze_snippet(query.code, language=query.language).tokens, engine)
    candidates = Candidates(engine, prepared, Filters.of(SearchOptions()), admitted)
    threshold = candidates.threshold
    found = []
    for part in prepared.parts:
        batch = candidates.batch(part, 0)
        scores = [candidate.score for candidate in batch]
        for candidate in batch:
            is_copy = candidate.blob.blob in originals
            if query.place is not None and not is_copy:
                continue
            document = candidates.document(candidate)
            judged = candidates.judge(part, document, candidate.score, likely=True)
            if judged is None:
                continue
            sides = Sides.of(prepared.stream, document.stream, prepared.kept)
            match = Match(
                runs=ordered_runs(sides, aligned_runs(judged.alignment), prepared.masked),
                window=(part.begin, part.end),
                score=judged.score / threshold,
                first_stage=candidate.score / threshold,
                most=part.most / threshold,
                others=chance_score(scores, candidate.score, BATCH) / threshold,
                much=judged.reason == "substance",
            )
            if (signs := prepared.substance.signs(document.stream, match)) is not None:
                found.append((signs, is_copy))
    most = 1.0 if query.place is not None else MOST_OF_ONE
    name = f"{query.group} {query.name} {query.place}"
    return [Row(name, signs, is_copy, min(1.0, most / len(found))) for signs, is_copy in found]


def fitted(rows: Sequence[Row]) -> tuple[NDArray[np.float64], float]:
    """The weights, and the sum from which on odds are `MARGIN`."""
    chosen = list(rows)
    for _ in range(ROUNDS):
        weights, even = _regression(chosen)
        chosen = [replace(row, weight=1.0) for row in best_of_each(rows, weights)]
    return weights, even + MARGIN


def _regression(rows: Sequence[Row]) -> tuple[NDArray[np.float64], float]:
    """The weights, and the sum at which odds are even."""
    signs = np.array([row.signs for row in rows])
    is_copy = np.array([row.is_copy for row in rows], np.float64)
    counts = np.array([row.weight for row in rows])
    mean, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    columns = np.hstack([(signs - mean) / spread, np.ones((len(rows), 1))])
    weights = np.zeros(columns.shape[1])
    for _ in range(20):
        odds = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (counts * (odds - is_copy)) + PULL * weights
        bend = (columns * (counts * odds * (1 - odds))[:, None]).T @ columns + PULL * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    plain = weights[:-1] / spread
    return plain, float(plain @ mean - weights[-1])


def best_of_each(rows: Iterable[Row], weights: NDArray[np.float64]) -> list[Row]:
    """The candidate of each query that has most signs of a copy."""
    best: dict[str, tuple[float, Row]] = {}
    for row in rows:
        evidence = float(np.dot(weights, row.signs))
        if row.query not in best or evidence > best[row.query][0]:
            best[row.query] = evidence, row
    return [row for _, row in best.values()]


def shares(rows: Sequence[Row], weights: NDArray[np.float64], enough: float) -> tuple[str, str]:
    """The shares of queries with an original and of others, of those with a candidate, that are answered."""
    best = best_of_each(rows, weights)
    cells = []
    for wanted in (True, False):
        answered = [np.dot(weights, row.signs) >= enough for row in best if row.is_copy is wanted]
        cells.append(f"{sum(answered) / max(len(answered), 1):.4f}")
    return cells[0], cells[1]


def collected(clones: Path, draw: Draw, changed_set: Path, work: Path, every: int) -> list[Row]:
    """The rows of a draw."""
    queries = [
        *changed(changed_set),
        *strangers(clones, draw),
        *unrelated_functions(clones, draw),
        *edited(clones, draw),
    ]
    wanted = [query for query in thinned(queries, every) if query.name not in COPIES and "medium" not in query.group]
    rows = []
    with closing(open_engine(work / "index", schemes=scheme_ids())) as engine:
        blobs: dict[str, set[str]] = {}
        for occurrence in engine.occurrences():
            blobs.setdefault(occurrence.path, set()).add(occurrence.blob)
        admitted = AdmittedBlobs(engine)
        for query in wanted:
            rows += rows_of(engine, query, frozenset(blobs.get(query.place or "", ())), admitted)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.signs", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of clones, as OWNER/NAME")
    parser.add_argument(
        "--draw",
        nargs=3,
        action="append",
        required=True,
        metavar=("DRAW", "SET", "WORK"),
        help="a draw, what `obfuscation` made for it, and the folder of the index that `whole` made; may be repeated",
    )
    parser.add_argument("--every", type=int, default=3, help="one query in so many of a group (default: %(default)d)")
    options = parser.parse_args()
    rows = {
        name: collected(options.clones, DRAWS[name], Path(made), Path(work), options.every)
        for name, made, work in options.draw
    }
    every = [row for some_of_them in rows.values() for row in some_of_them]
    used = np.array(WEIGHTS)
    lines = [("in use", *(f"{weight:.2f}" for weight in (*used, ENOUGH)), *shares(every, used, ENOUGH))]
    weights, enough = fitted(every)
    lines.append(
        ("fitted on all", *(f"{weight:.2f}" for weight in (*weights, enough)), *shares(every, weights, enough))
    )
    for name, left_out in rows.items():
        rest = [row for other, some_of_them in rows.items() if other != name for row in some_of_them]
        if rest:
            weights, enough = fitted(rest)
            cells = (f"{weight:.2f}" for weight in (*weights, enough))
            lines.append((f"all but {name}, on it", *cells, *shares(left_out, weights, enough)))
    print(table(("weights", *Signs._fields, "enough", "copies answered", "others answered"), lines))


if __name__ == "__main__":
    main()

"""What each sign of a copy weighs (`wherefrom.queries.substance.WEIGHTS`), by logistic regression on all sets at once.

A row is a candidate of a query of `whole` or of `mutation`: of a changed program, an edited function or one that is put
into another file, the original; of what is in no index every candidate. Queries whose answers were read and are copies
are left out. A query is answered if one of its candidates is, so the weights are fitted on the best one of each, in
rounds. Queries are dealt to two halves by their names: beside the weights that are fitted on all is what those of
either half are worth on the other one. Only windows with code count, and only the sum of the signs.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import wherefrom
from benchmarks.effectiveness import mutation
from benchmarks.effectiveness.corpus import load
from benchmarks.effectiveness.programs import DRAWS, Draw, files, some
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import VARIANTS, functions, is_editable, text
from benchmarks.effectiveness.whole import (
    COPIES,
    Query,
    changed,
    idiomatic,
    strangers,
    thinned,
    unrelated_functions,
)
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
from wherefrom.queries.regions import Sides, aligned_runs, grown_runs, longest_runs
from wherefrom.queries.substance import ENOUGH, WEIGHTS, Match, Signs, chance_score

EDITED = 45
"""Functions of each language that are edited in every way."""

FUNCTION_LINES = (6, 40)
FILES, SEED = 200, 5
"""Of `mutation`: files of each language, and the seed of every choice."""

COUNTS: Mapping[str, float] = {
    "changed programs": 1,
    "edited functions": 1,
    "mutations": 1,
    "embedded functions": 2,
    "unrelated functions": 2,
    "strangers": 2,
    "java without a copy": 0.6,
    "programs without a copy": 0.6,
    "idioms": 0.2,
}
"""What a query of each kind counts as: the fewer of a kind may be answered, or missed, the more."""

MOST_OF_ONE = 3.0
"""How many candidates count of one query together at most, in the first round."""

ROUNDS = 4
"""After the first round, the best candidate of each query by the weights of the round before counts alone."""

PULL = 0.5
"""How much weights are pulled to 0."""

DIAL = (-0.4, -0.2, 0.0, 0.2, 0.4)
"""What is added to the sum that is enough, to see what a row gains and another one loses."""

SHARE = 0.006
"""The share of unrelated functions that may be answered: the sum that is enough is chosen by it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text that is looked up, named within its kind; nothing is right where there are no places."""

    kind: str
    name: str
    language: str
    code: bytes
    places: frozenset[str]

    @property
    def half(self) -> int:
        """The half that it is dealt to, 0 or 1."""
        return zlib.crc32(self.name.encode()) % 2


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate of a case: its signs, and whether it is the original."""

    case: Case
    signs: Signs
    is_copy: bool


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


def of_draw(clones: Path, name: str, changed_set: Path, every: int) -> Iterator[Case]:
    """The cases of a draw of `whole`; functions every one, of the rest one in so many of a group."""
    draw = DRAWS[name]
    others = [*changed(changed_set), *strangers(clones, draw), *idiomatic(clones, name), *edited(clones, draw)]
    for query in [*thinned(others, every), *unrelated_functions(clones, draw)]:
        if query.name not in COPIES and "medium" not in query.group:
            places = frozenset((query.place,) if query.place is not None else ())
            yield Case(_kind(query), f"{query.group} {query.name}", query.language, query.code, places)


def _kind(query: Query) -> str:
    first = query.group.partition(",")[0].partition(":")[0]
    if first == "no copy":
        return "java without a copy" if query.language == "java" else "programs without a copy"
    return {"changed": "changed programs", "edited": "edited functions"}.get(first, first)


def of_mutation(sources: Sequence[str], number: int, work: Path) -> list[Case]:
    """The cases of `mutation`, whose files are indexed in a folder where they are not yet."""
    corpus = load(sources, sorted(SHAPES), FILES, SEED, work / "clones")
    made = list(mutation.cases(corpus, number, SEED))
    if not (work / "index").exists():
        mutation.lay_out(corpus, work / "files")
        wherefrom.index_sources([str(work / "files")], work / "index", jobs=1)
    return [
        Case(_kind_of_variant(each), f"{each.variant} {each.label}", each.language, each.code.encode(), each.places)
        for each in made
    ]


def _kind_of_variant(case: mutation.Case) -> str:
    if not case.places:
        return "strangers"
    return "embedded functions" if case.variant.startswith(mutation.EMBEDDED) else "mutations"


def rows_of(engine: Engine, case: Case, originals: frozenset[str], admitted: AdmittedBlobs) -> Iterator[Row]:
    """The candidates of a case that may be an answer; of one that has an original that one alone."""
    prepared = prepare(analyze_snippet(case.code, language=case.language).tokens, engine)
    candidates = Candidates(engine, prepared, Filters.of(engine, SearchOptions()), admitted)
    threshold = candidates.threshold
    for part in prepared.parts:
        batch = candidates.batch(part, 0)
        scores = [candidate.score for candidate in batch]
        for candidate in batch:
            is_copy = candidate.blob.blob in originals
            if case.places and not is_copy:
                continue
            document = candidates.document(candidate)
            judged = candidates.judge(part, document, candidate.score, likely=True)
            if judged is None:
                continue
            sides = Sides.of(prepared.stream, document.stream, prepared.kept)
            runs = longest_runs(grown_runs(sides, aligned_runs(judged.alignment), prepared.masked))
            if sum(run.end - run.begin for run in runs) < prepared.least_matched:
                continue
            match = Match(
                runs=runs,
                window=(part.begin, part.end),
                score=judged.score / threshold,
                first_stage=candidate.score / threshold,
                others=chance_score(scores, candidate.score, BATCH) / threshold,
                much=judged.reason == "substance",
            )
            if (signs := prepared.substance.signs(document.stream, match)) is not None:
                yield Row(case, signs, is_copy)


def collected(cases: Iterable[Case], index: Path) -> list[Row]:
    """The rows of the cases of an index."""
    rows: list[Row] = []
    with closing(open_engine(index, schemes=scheme_ids())) as engine:
        blobs: dict[str, set[str]] = {}
        for occurrence in engine.occurrences():
            blobs.setdefault(occurrence.path, set()).add(occurrence.blob)
        admitted = AdmittedBlobs(engine)
        for case in cases:
            originals = frozenset(blob for place in case.places for blob in blobs.get(place, ()))
            rows += rows_of(engine, case, originals, admitted)
    return rows


def fitted(rows: Sequence[Row]) -> NDArray[np.float64]:
    """The weights."""
    numbers: dict[Case, int] = {}
    case = np.array([numbers.setdefault(row.case, len(numbers)) for row in rows])
    signs = np.array([row.signs for row in rows])
    is_copy = np.array([row.is_copy for row in rows], np.float64)
    counts = np.array([COUNTS[row.case.kind] for row in rows])
    of_case = np.bincount(case)[case]
    weights = _regression(signs, is_copy, counts * np.minimum(1, np.where(is_copy > 0, 1, MOST_OF_ONE) / of_case))
    for _ in range(ROUNDS):
        order = np.lexsort((-(signs @ weights), case))
        best = order[np.append(True, case[order][1:] != case[order][:-1])]
        weights = _regression(signs[best], is_copy[best], counts[best])
    return weights


def _regression(
    signs: NDArray[np.float64], is_copy: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    mean, spread = np.average(signs, axis=0), signs.std(axis=0) + 1e-9
    columns = np.hstack([(signs - mean) / spread, np.ones((len(signs), 1))])
    weights = np.zeros(columns.shape[1])
    for _ in range(25):
        odds = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (counts * (odds - is_copy)) + PULL * weights
        bend = (columns * (counts * odds * (1 - odds))[:, None]).T @ columns + PULL * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    plain: NDArray[np.float64] = weights[:-1] / spread
    return plain


def sums(rows: Iterable[Row], weights: NDArray[np.float64]) -> dict[Case, float]:
    """The highest sum of the signs of the candidates of each case that has any."""
    best: dict[Case, float] = {}
    for row in rows:
        best[row.case] = max(best.get(row.case, -np.inf), float(np.dot(weights, row.signs)))
    return best


def enough_for(cases: Iterable[Case], best: Mapping[Case, float]) -> float:
    """The lowest sum that is reached by `SHARE` of the unrelated functions at most."""
    found = sorted((best.get(case, -np.inf) for case in cases if case.kind == "unrelated functions"), reverse=True)
    most = int(SHARE * len(found))
    return found[most] + 1e-6 if most < len(found) else -np.inf


def shares(cases: Iterable[Case], best: Mapping[Case, float], enough: float) -> list[str]:
    """The share of each kind, as in `COUNTS`, that is answered: where there is an original, with that."""
    answered: dict[str, list[bool]] = {kind: [] for kind in COUNTS}
    for case in cases:
        answered[case.kind].append(best.get(case, -np.inf) >= enough)
    return [f"{sum(found) / len(found):.4f}" if found else "" for found in answered.values()]


def report(cases: Sequence[Case], rows: Sequence[Row]) -> str:
    """What is answered with the weights in use, with those fitted on all, and with those of the other half."""
    lines = []

    def add(name: str, weights: NDArray[np.float64], enough: float, some_of_them: Sequence[Case]) -> None:
        found = shares(some_of_them, sums(rows, weights), enough)
        lines.append((name, *(f"{weight:.2f}" for weight in (*weights, enough)), *found))

    used, weights = np.array(WEIGHTS), fitted(rows)
    add("in use", used, ENOUGH, cases)
    enough = enough_for(cases, sums(rows, weights))
    for more in DIAL:
        add("fitted on all", weights, enough + more, cases)
    for half in (0, 1):
        others = fitted([row for row in rows if row.case.half != half])
        least = enough_for([case for case in cases if case.half != half], sums(rows, others))
        add(f"fitted on half {'BA'[half]}, on half {'AB'[half]}", others, least, [c for c in cases if c.half == half])
    return table(("weights", *Signs._fields, "enough", *COUNTS), lines)


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
    parser.add_argument("--mutation", nargs="+", default=[], help="sources of `mutation`")
    parser.add_argument("--functions", type=int, default=40, help="of each language of those (default: %(default)d)")
    parser.add_argument("--work", type=Path, help="folder for the index of those, which is used again")
    parser.add_argument(
        "--every",
        type=int,
        default=3,
        help="one query in so many of a group, odd, for made scripts come in fours (default: %(default)d)",
    )
    options = parser.parse_args()
    if options.mutation and options.work is None:
        parser.error("--mutation needs --work")
    cases: list[Case] = []
    rows: list[Row] = []
    for name, made, work in options.draw:
        found = list(of_draw(options.clones, name, Path(made), options.every))
        cases += found
        rows += collected(found, Path(work) / "index")
    if options.mutation:
        found = of_mutation(options.mutation, options.functions, options.work)
        cases += found
        rows += collected(found, options.work / "index")
    print(f"{len(cases):,} cases, {len(rows):,} candidates\n\n{report(cases, rows)}")


if __name__ == "__main__":
    main()

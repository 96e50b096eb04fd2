"""What counts as found: every candidate of the mutation benchmark, scored without a threshold, judged by many rules.

The queries are dealt to two halves by the names of their functions: a rule is chosen on the first, and what it reaches
on the second stands beside it. Each `--files` is an index of its own, so that a rule that holds at one size and fails
at another is seen.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from wherefrom.queries.judgement import FOUND, Rule

import wherefrom
from benchmarks.effectiveness.corpus import add_choice_options, load
from benchmarks.effectiveness.mutation import Case, cases, lay_out
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.plots import drawn
from benchmarks.timing import percentile, table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.queries.alignment import FIRST_STAGE_WEIGHT, Alignment, Document, align
from wherefrom.queries.candidates import BATCH
from wherefrom.queries.prepare import prepare

BATCHES = 2
"""Batches of candidates that are scored for each window of a query."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its best window: whether it is a true file, where it stands, its score and chains,
    the tokens of the window.
    """

    is_true: bool
    place: str
    score: float
    alignment: Alignment
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """All that a query came to, the highest score first; `blobs` is N."""

    case: Case
    half: int
    blobs: int
    candidates: Sequence[Scored]


def answer(engine: Engine, case: Case) -> Answer:
    """Scores the candidates of a case."""
    stream = analyze_snippet(case.code.encode(), language=case.language).tokens
    query = prepare(stream, engine)
    best: dict[str, Scored] = {}
    for part in query.parts:
        for candidate in engine.candidates(part.terms, limit=BATCH * BATCHES):
            blob = candidate.blob.blob
            alignment = align(part, Document(candidate), query.masked)
            score = alignment.score + FIRST_STAGE_WEIGHT * candidate.score
            if blob not in best or best[blob].score < score:
                places = [each.path for each in engine.occurrences(blobs=[blob])]
                is_true = not case.places.isdisjoint(places)
                best[blob] = Scored(is_true, places[0], score, alignment, part.tokens)
    ordered = sorted(best.values(), key=lambda each: -each.score)
    half = zlib.crc32(case.label.encode()) % 2
    return Answer(case, half, max(query.blobs.values(), default=0), ordered)


RULES: Sequence[Rule] = (
    FOUND,
    *(replace(FOUND, slope=slope) for slope in (2.0, 3.0, 3.5, 4.0)),
    *(replace(FOUND, covered=share) for share in (0.4, 0.6, 0.7, 1.1)),
    replace(FOUND, whole=False),
    *(replace(FOUND, partly_covered=share) for share in (0.3, 0.35, 0.5, 1.1)),
    *(replace(FOUND, partly_scored=share) for share in (0.2, 0.25, 0.4, 0.5)),
)


def first(given: Answer, rule: Rule) -> Scored | None:
    """What the rule finds first."""
    needed = rule.threshold(given.blobs)
    return next(
        (each for each in given.candidates if rule.reason(each.score, each.alignment, each.tokens, needed)), None
    )


def is_right(given: Answer, rule: Rule) -> bool:
    """Whether that is a true file; for a stranger whether it is nothing."""
    found = first(given, rule)
    return found is None if not given.case.places else found is not None and found.is_true


def row(answers: Sequence[Answer], rule: Rule) -> tuple[str, ...]:
    """A line of the table."""
    cells = []
    for is_stranger in (False, True):
        for half in (0, 1):
            group = [each for each in answers if each.half == half and (not each.case.places) == is_stranger]
            right = sum(is_right(each, rule) for each in group)
            cells.append(f"{len(group) - right} of {len(group)}" if is_stranger else f"{right / len(group):.4f}")
    changed = [
        f"{name} {getattr(rule, name)}" for name in Rule.__slots__ if getattr(rule, name) != getattr(FOUND, name)
    ]
    return (", ".join(changed) or "as it is", *cells)


def scores(answers: Sequence[Answer]) -> dict[str, list[float]]:
    """The highest score of each stranger, and those of the true files, all divided by ln(1 + N)."""
    found: dict[str, list[float]] = {"strangers": [], "true files": []}
    for each in answers:
        if each.candidates:
            best = next((one.score for one in each.candidates if one.is_true or not each.case.places), 0.0)
            found["true files" if each.case.places else "strangers"].append(best / math.log1p(each.blobs))
    return found


def separation(answers: Sequence[Answer]) -> str:
    """How they lie."""
    rows = [
        (name, *(f"{percentile(values, share):.2f}" for share in _SHARES))
        for name, values in scores(answers).items()
        if values
    ]
    return table(("score / ln(1 + N)", *(f"{share:.0%}" for share in _SHARES)), rows)


def plot(answers: Sequence[Answer], path: Path) -> None:
    """The share of strangers that score more, and of true files that score less, than a threshold."""
    with drawn(path) as axes:
        for name, values in scores(answers).items():
            ordered = sorted(values)
            below = [number / len(ordered) for number in range(len(ordered))]
            shares = [1 - share for share in below] if name == "strangers" else below
            label = "strangers above" if name == "strangers" else "true files below"
            axes.step(ordered, shares, where="post", label=label)
        axes.axvline(FOUND.slope, color="black", linestyle=":", label="T(N)")
        axes.set(xlabel="score / ln(1 + N)", ylabel="share", xscale="log", yscale="log")
        axes.legend()


_SHARES = (0.0, 0.01, 0.05, 0.5, 0.95, 0.99, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.found", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=15)
    parser.add_argument(
        "--files", type=int, action="append", help="of each language; may be repeated (default: 20 and 200)"
    )
    parser.add_argument(
        "--strangers",
        type=int,
        default=100,
        help="functions that are not indexed, of each language (default: %(default)d)",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="scores in the last index, as SVG or PNG")
    options = parser.parse_args()
    for files in options.files or (20, 200):
        with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
            folder = Path(scratch)
            corpus = load(options.sources, sorted(options.language or SHAPES), files, options.seed, folder / "clones")
            chosen = list(cases(corpus, options.functions, options.seed, strangers=options.strangers))
            lay_out(corpus, folder / "files")
            wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
            with closing(open_engine(folder / "index", schemes=scheme_ids())) as engine:
                answers = [answer(engine, case) for case in chosen]
        print(f"\n{files} files of each language, {answers[0].blobs} blobs, {len(answers)} queries\n")
        head = ("rule", "true first, half A", "half B", "strangers answered, half A", "half B")
        print(table(head, [row(answers, rule) for rule in RULES]))
        print()
        print(separation(answers))
        print("\nStrangers that are answered:\n")
        for each in answers:
            found = first(each, FOUND)
            if not each.case.places and found is not None:
                print(f"- {each.case.label}: {found.place}, {found.score:.1f}, {found.tokens} tokens")
    if options.plot:
        plot(answers, options.plot)


if __name__ == "__main__":
    main()

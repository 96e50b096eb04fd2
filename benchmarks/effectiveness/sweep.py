"""How to compare whole files best, on OCD and SOCO-14: representation, k, weights, idf or not, the divisor.

Every pair of documents is compared. The groups of copies go in turn to two halves. A setting is chosen by its mean MAP
over all data sets on the queries of the first half; its MAP on the second half is reported beside it.

With `--draws N`, N random settings are tried instead. Each is a sum over its measures, as in `queries.similarity`, and
the best settings for each data set are shown beside the setting in use.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.effectiveness.datasets import DataSet
from benchmarks.effectiveness.metrics import average_precision, judged, mean
from benchmarks.effectiveness.ranking import add_folder_options, data_sets
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.representations import kgrams
from wherefrom.model import Representation
from wherefrom.queries.looked_up import idf
from wherefrom.queries.similarity.resemblance import Places, common_subsequence

BEST = 4
"""How many of the random settings are shown for each data set."""

Scores = NDArray[np.float64]
"""Scores of pairs, of shape (documents, documents)."""

_SHORT = {"e": Representation.EXACT, "r": Representation.RENAMED, "p": Representation.P_MATCH}
DIVISORS: Mapping[str, Callable[[Scores, Scores], Scores]] = {
    "mean": lambda own, other: (own + other) / 2,
    "larger": np.maximum,
    "own": lambda own, _: own,
}
"""By what a shared amount is divided: the mean of both documents (Dice), the larger, the query's (containment)."""


class Documents:
    """A data set with the scores of every pair by one measure, each computed when it is first needed.

    A measure is a letter for the representation (`e` exact, `r` renamed, `p` p_match) and k: the longest common
    subsequence of k-grams; with `b` before it, the k-grams of both in any order; with `i`, the same weighed by idf.
    """

    def __init__(self, data: DataSet) -> None:
        self.data = data
        self.names = sorted(data.documents)
        self._streams = [analyze_snippet(data.documents[name], language=data.language).tokens for name in self.names]
        self.tokens = np.array([len(stream) for stream in self._streams], np.float64)
        self._shared: dict[str, Scores] = {}

    def scores(self, measure: str, divisor: str) -> Scores:
        """The scores, from 0 to 1, with a row for each query. A weight before the measure multiplies them: `3*p1`."""
        weight, _, name = measure.rpartition("*")
        if weight:
            return float(weight) * self.scores(name, divisor)
        shared = self.shared(measure)
        own = np.maximum(np.diag(shared), 1e-9)
        return shared / DIVISORS[divisor](own[:, None], own[None, :])

    def shared(self, measure: str) -> Scores:
        """How much each pair shares; on the diagonal how much each document has."""
        if measure not in self._shared:
            self._shared[measure] = self._compared(measure)
        return self._shared[measure]

    @cached_property
    def halves(self) -> tuple[list[str], list[str]]:
        """The queries of the two halves."""
        groups = sorted({tuple(sorted({query, *found})) for query, found in self.data.relevant.items()})
        half = {name: number % 2 for number, group in enumerate(groups) for name in group}
        first, second = ([query for query in self.data.relevant if half[query] == each] for each in (0, 1))
        return first, second

    def _compared(self, measure: str) -> Scores:
        representation, k = _SHORT[measure.lstrip("bi")[0]], int(measure.lstrip("bi")[1:])
        sequences = [kgrams(stream, representation, k).hashes.tolist() for stream in self._streams]
        if measure[0] in "bi":
            return _in_any_order(sequences, weighed=measure[0] == "i")
        result = np.zeros((len(sequences), len(sequences)))
        for row, sequence in enumerate(sequences):
            held = Places(sequence)
            result[row, row] = len(sequence)
            for column in range(row):
                result[row, column] = result[column, row] = common_subsequence(held, sequences[column])
        return result


def _in_any_order(sequences: Sequence[Sequence[int]], *, weighed: bool) -> Scores:
    frequencies = Counter(gram for sequence in sequences for gram in set(sequence))
    column_of: dict[tuple[int, int], int] = {}
    weights: list[float] = []
    rows = []
    for sequence in sequences:
        seen: Counter[int] = Counter()
        row = []
        for gram in sequence:  # the second occurrence of a k-gram has a column of its own
            seen[gram] += 1
            if (gram, seen[gram]) not in column_of:
                column_of[gram, seen[gram]] = len(weights)
                weights.append(idf(frequencies[gram], len(sequences)) if weighed else 1.0)
            row.append(column_of[gram, seen[gram]])
        rows.append(row)
    held = np.zeros((len(sequences), len(weights)), np.float32)
    for number, row in enumerate(rows):
        held[number, row] = 1
    shared: Scores = ((held * np.array(weights, np.float32)) @ held.T).astype(np.float64)
    return shared


@dataclass(frozen=True, slots=True)
class Setting:
    """A weighted mean of measures. With at least `long` tokens in the query `longs` count fully; with fewer, they give
    way to `shorts` in proportion. None means that only `measures` count.
    """

    measures: tuple[str, ...]
    divisor: str = "mean"
    longs: tuple[str, ...] = ()
    shorts: tuple[str, ...] = ()
    long: int | None = None

    @property
    def name(self) -> str:
        """The name of the setting in the table."""
        parts = " + ".join(self.measures)
        if self.long is not None:
            parts += f", long {' + '.join(self.longs)}, short {' + '.join(self.shorts)}, from {self.long}"
        return f"{parts}, by {self.divisor}"

    def scores(self, documents: Documents) -> Scores:
        """The scores of every pair."""
        total: Scores = sum(
            (documents.scores(each, self.divisor) for each in self.measures), np.zeros((len(documents.names),) * 2)
        )
        if self.long is not None:
            length = np.minimum(1, documents.tokens / self.long)[:, None]
            for each in self.longs:
                total = total + length * documents.scores(each, self.divisor)
            for each in self.shorts:
                total = total + (1 - length) * documents.scores(each, self.divisor)
        return total


def settings() -> Iterator[Setting]:
    """All settings that are tried."""
    for representation in "erp":
        for k in (1, 2, 3, 4, 6, 8):
            yield Setting((f"{representation}{k}",))
    for kind in "bi":
        yield from (Setting((f"{kind}{measure}",)) for measure in ("e2", "r2", "r4", "r6", "p2", "p4", "p6"))
    for divisor in DIVISORS:
        for measures in (("r4", "p6"), ("r2", "r6"), ("e2", "r2"), ("r2", "p2")):
            yield Setting(measures, divisor)
    for one in ("e2", "e3", "e4", "e6"):
        yield from (Setting((one, other)) for other in ("r2", "r3", "r4", "p2", "p3", "p4"))
    for one in ("r2", "r3", "r4"):
        yield from (Setting((one, other)) for other in ("p2", "p3", "p4", "p6", "r6", "r8", "ir6") if one != other)
    for long in (100, 200, 300, 400, 500, 600, 800):
        yield Setting(("r2",), "mean", ("r6",), ("p2",), long)
    for longs in (("e2",), ("e3",), ("e4",), ("e2", "0.5*e3"), ("r6", "e3")):
        for shorts in (("p2",), ("p1", "p2"), ("2*p1", "p2"), ("3*p1", "2*p2"), ("p2", "e1")):
            yield Setting(("r2",), "mean", longs, shorts, 400)
    for measure in ("e4", "p6", "r4"):
        yield Setting(("r2",), "mean", (measure,), ("p2",), 400)


@dataclass(frozen=True, slots=True)
class Summed:
    """One sum over weighed measures: twice the shared amount by that of both documents. `long`: as in `Setting`."""

    always: Mapping[str, float]
    longs: Mapping[str, float]
    shorts: Mapping[str, float]
    long: int

    @property
    def name(self) -> str:
        """The name of the setting in the table."""
        always, longs, shorts = (
            " + ".join(f"{weight:g} {measure}" for measure, weight in sorted(weights.items()))
            for weights in (self.always, self.longs, self.shorts)
        )
        return f"{always}, long {longs}, short {shorts}, from {self.long}"

    def scores(self, documents: Documents) -> Scores:
        """The scores of every pair."""
        length = np.minimum(1, documents.tokens / self.long)[:, None]
        common = both = np.zeros((len(documents.names),) * 2)
        for weights, share in ((self.always, np.ones_like(length)), (self.longs, length), (self.shorts, 1 - length)):
            for measure, weight in weights.items():
                shared = documents.shared(measure)
                own = np.diag(shared)
                common = common + 2 * weight * share * shared
                both = both + weight * share * (own[:, None] + own[None, :])
        return common / np.maximum(both, 1e-9)


IN_USE = Summed({}, {"r2": 1.0, "e2": 1.0}, {"p2": 1.0}, 400)
"""The setting that `queries.similarity.resemblance.measures` implements."""


def drawn(number: int) -> Iterator[Summed]:
    """`number` random settings, the same ones in each run."""
    chance = random.Random(17)
    exact = tuple(f"e{k}" for k in (1, 2, 3, 4, 5, 6, 8))
    for _ in range(number):
        always = {chance.choice(("r1", "r2", "r3", "r4", "r6")): 1.0}
        if chance.random() < 0.4:
            always[chance.choice(exact)] = chance.choice((0.25, 0.5, 1.0))
        longs = chance.sample((*exact, "r4", "p4"), chance.choice((1, 2, 3)))
        shorts = chance.sample(("p1", "p2", "p3", "p4", "e1", "e2", "e3", "r1"), chance.choice((1, 2, 3)))
        yield Summed(
            always,
            {measure: chance.choice((0.25, 0.5, 1.0, 2.0, 4.0)) for measure in longs},
            {measure: chance.choice((0.5, 1.0, 2.0, 3.0)) for measure in shorts},
            chance.choice((200, 300, 400, 500, 600)),
        )


def print_drawn(sets: Sequence[Documents], number: int) -> None:
    """Prints the best settings for each data set, and the settings that are as good as the one in use for all sets."""
    found = []
    for setting in (IN_USE, *drawn(number)):
        scores = [
            mean_precision(each, setting.scores(each), list(each.data.relevant), count_query=False) for each in sets
        ]
        found.append((scores, setting.name))
    used = found[0][0]
    kept = [each for each in found[1:] if all(now >= was - 5e-5 for now, was in zip(each[0], used, strict=True))]
    best = [
        each
        for at in range(len(sets))
        for each in sorted(found[1:], key=lambda each, at=at: -each[0][at])[:BEST]  # type: ignore[misc]
    ]
    rows = [
        (f"{label}: {name}", *(f"{score:.4f}" for score in scores))
        for label, some in (("in use", found[:1]), ("no set falls", kept), ("best", best))
        for scores, name in some
    ]
    print(table(("setting", *(each.data.name for each in sets)), rows))


def mean_precision(documents: Documents, scores: Scores, queries: Sequence[str], *, count_query: bool) -> float:
    """MAP over some queries. Equal scores are ordered by name."""
    values = []
    for query in queries:
        row = np.round(scores[documents.names.index(query)], 9)
        ranked = [documents.names[column] for column in np.argsort(-row, kind="stable")]
        relevant = documents.data.relevant[query]
        flags = judged(ranked, relevant, query, count_query=count_query)
        values.append(average_precision(flags, len(relevant) + count_query))
    return mean(values)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.sweep", description=__doc__)
    add_folder_options(parser)
    parser.add_argument("--draws", type=int, default=0, help="settings that are drawn by chance")
    options = parser.parse_args()
    # No setting is chosen by ProGuard's versions of methods, because their copies have no label.
    sets = [Documents(data) for data in data_sets(options.ocd, options.soco) if "all versions" not in data.name]
    if not sets:
        parser.error("give the folder of at least one data set: --ocd or --soco")
    if options.draws:
        print_drawn(sets, options.draws)
        return
    rows = []
    for setting in dict.fromkeys(settings()):
        found = [(documents, setting.scores(documents)) for documents in sets]
        halves = [
            mean([mean_precision(each, scores, each.halves[half], count_query=False) for each, scores in found])
            for half in (0, 1)
        ]
        whole = [
            "/".join(
                f"{mean_precision(each, scores, list(each.data.relevant), count_query=count):.4f}"
                for count in (False, True)
            )
            for each, scores in found
        ]
        rows.append((-halves[0], (setting.name, *(f"{half:.4f}" for half in halves), *whole)))
    head = ("setting", "mean, first half", "mean, second half", *(each.data.name for each in sets))
    print(table(head, [row for _, row in sorted(rows)]))


if __name__ == "__main__":
    main()

"""Which terms the index should store: representation, k, w and w', judged by the candidates that the terms find.

The edited functions of the mutation benchmark are looked up by their terms alone, as the engine does: a blob is ranked
by the sum of the idf of the terms that it shares with a window of the query. Measured are whether a true file is among
the first candidates (only these are aligned), and the cost: postings for each token, and candidates that share any
term. Choose settings on other sources than those of the reported result.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.effectiveness.corpus import Corpus, add_choice_options, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.mutation import Case, cases
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.plots import drawn
from benchmarks.timing import table
from wherefrom.analyzers import representations
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms, sample
from wherefrom.analyzers.hashing import terms, token_code
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import Scheme
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.fitted import SHORT_QUERY
from wherefrom.model import Representation
from wherefrom.queries.preparation.preparing import windows
from wherefrom.queries.preparation.query import idf

if TYPE_CHECKING:
    from wherefrom.model import Hashes

LETTERS = {"e": Representation.EXACT, "r": Representation.RENAMED, "p": Representation.P_MATCH}
_CALL = np.uint64(token_code(b"("))


def _calls(codes: Hashes) -> NDArray[np.bool_]:
    kept = np.zeros(len(codes), np.bool_)
    kept[:-1] = codes[1:] == _CALL
    return kept


def _members(codes: Hashes) -> NDArray[np.bool_]:
    kept = np.zeros(len(codes), np.bool_)
    kept[1:] = np.isin(codes[:-1], [token_code(mark) for mark in (b".", b"->", b"::", b"?.", b"?->", b"&.", b"!!.")])
    return kept


def _nothing(codes: Hashes) -> NDArray[np.bool_]:
    return np.zeros(len(codes), np.bool_)


KEEPS = {"calls": _calls, "members": _members, "nothing": _nothing}
"""Other rules for which names `renamed` keeps; the rule in use keeps members and calls."""

DEPTHS = (1, 10, 50)
"""Ranks up to which a true file counts; 50 is a batch of candidates."""

SETTINGS = (
    "e8/8 r8/8",
    "e6/6 r8/6",
    "e6/6 r6/6",
    "e8/8 r12/8",
    "e10/6 r10/6",
    "r8/8",
    "e8/8 p16/8",
    "e8/8 r8/8 p12/8",
    "e8/8 r8/8 p12/12",
    "e8/8 r8/8 p16/8",
    "e8/8 r8/8 p16/16",
    "e8/8 r8/8 p20/12",
    "e8/8 r8/8 p24/12",
    "e12/12 r8/8 p16/8",
    "e16/16 r8/8 p16/8",
    "r8/8 p12/8",
    "r8/8 p16/8",
)


@dataclass(frozen=True, slots=True)
class Setting:
    """Schemes that are looked up together; `factor` is w' divided by w for a query that is not short."""

    schemes: tuple[Scheme, ...]
    factor: int
    most: float

    @property
    def name(self) -> str:
        """In short: `e8/8` is exact with k 8 and w 8, `x2` the factor."""
        parts = [f"{scheme.representation[0]}{scheme.k}/{scheme.w}" for scheme in self.schemes]
        limit = "" if self.most == 1 else f" max-df {self.most:g}"
        return f"{' '.join(parts)} x{self.factor}{limit}"


def parse(text: str) -> tuple[Scheme, ...]:
    """The schemes of a text such as `e8/8 r8/8`."""
    found = []
    for part in text.split():
        k, w = part[1:].split("/")
        found.append(Scheme(LETTERS[part[0]], int(k), int(w)))
    return tuple(found)


class Postings:
    """The terms of blobs under one scheme."""

    def __init__(self, streams: Sequence[TokenStream], scheme: Scheme) -> None:
        held = [document_terms(stream, {scheme.representation: scheme}) for stream in streams]
        each = [found.get(scheme.representation, np.empty(0, np.uint64)) for found in held]
        blobs = np.repeat(np.arange(len(each)), [len(found) for found in each])
        values = np.concatenate(each)
        order = np.argsort(values, kind="stable")
        self._values, self._blobs = values[order], blobs[order]
        self.number = len(streams)
        self.size = len(values)

    def add(self, wanted: Hashes, scores: NDArray[np.float64], most: float) -> None:
        """Adds the idf of each of these distinct terms to the blobs that have it, unless too many have it."""
        low = np.searchsorted(self._values, wanted, side="left").tolist()
        high = np.searchsorted(self._values, wanted, side="right").tolist()
        for begin, end in zip(low, high, strict=True):
            if 0 < end - begin <= most * self.number:
                scores[self._blobs[begin:end]] += idf(end - begin, self.number)


@dataclass(frozen=True, slots=True)
class Looked:
    """The result of one query: the rank of the first true file, 0 if none is found, and how many blobs share a term."""

    rank: int
    sharing: int


class Trial:
    """Reads files and queries once, and makes the postings of each scheme once."""

    def __init__(self, corpus: Corpus, chosen: Sequence[Case]) -> None:
        files = [file for each in corpus.indexed.values() for file in each]
        self._streams = [file.analysis.tokens for file in files]
        self._numbers = {file.place: number for number, file in enumerate(files)}
        self.cases = [case for case in chosen if case.places]
        self._queries = [analyze_snippet(case.code.encode(), language=case.language).tokens for case in self.cases]
        self._true = [[self._numbers[place] for place in sorted(case.places)] for case in self.cases]
        self._postings: dict[Scheme, Postings] = {}
        self._grams: dict[tuple[Representation, int], list[KGrams]] = {}
        self.tokens = sum(len(stream) for stream in self._streams)

    def postings(self, scheme: Scheme) -> Postings:
        """The index of one scheme."""
        if scheme not in self._postings:
            self._postings[scheme] = Postings(self._streams, scheme)
        return self._postings[scheme]

    def looked(self, setting: Setting) -> list[Looked]:
        """Looks up every query."""
        return [self._look(setting, number) for number in range(len(self.cases))]

    def _look(self, setting: Setting, number: int) -> Looked:
        tokens = len(self._queries[number])
        best = np.zeros(len(self._streams))
        for begin, end in windows(tokens):
            scores = np.zeros(len(self._streams))
            for scheme in setting.schemes:
                wanted = self._wanted(scheme, setting.factor, number, (begin, end))
                self.postings(scheme).add(wanted, scores, setting.most)
            best = np.maximum(best, scores)
        true = max(best[each] for each in self._true[number])
        return Looked(int(np.count_nonzero(best > true)) + 1 if true else 0, int(np.count_nonzero(best)))

    def _wanted(self, scheme: Scheme, factor: int, number: int, span: tuple[int, int]) -> Hashes:
        key = scheme.representation, scheme.k
        if key not in self._grams:
            self._grams[key] = [kgrams(query, *key) for query in self._queries]
        grams = self._grams[key][number]
        window = scheme.w if len(self._queries[number]) < SHORT_QUERY else factor * scheme.w
        kept = sample(grams, scheme, window)
        inside = kept[(grams.positions[kept] >= span[0]) & (grams.positions[kept] <= span[1] - scheme.k)]
        return terms(grams.hashes[inside])


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a setting: recall at each of `DEPTHS`, the variant with the least recall, and the cost."""

    setting: Setting
    recalls: Sequence[float]
    worst: str
    density: float
    sharing: float

    @property
    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        recalls = (f"{recall:.4f}" for recall in self.recalls)
        return self.setting.name, *recalls, self.worst, f"{self.density:.3f}", f"{self.sharing:.0f}"


def tried(trial: Trial, setting: Setting) -> Outcome:
    """Looks up every query with a setting."""
    looked = trial.looked(setting)
    by_variant: Mapping[str, list[Looked]] = defaultdict(list)
    for case, each in zip(trial.cases, looked, strict=True):
        by_variant[case.variant].append(each)
    worst = min(by_variant, key=lambda variant: _recall(by_variant[variant], DEPTHS[-1]))
    return Outcome(
        setting,
        [_recall(looked, depth) for depth in DEPTHS],
        f"{worst} {_recall(by_variant[worst], DEPTHS[-1]):.3f}",
        sum(trial.postings(scheme).size for scheme in setting.schemes) / trial.tokens,
        mean([float(each.sharing) for each in looked]),
    )


def plot(outcomes: Sequence[Outcome], path: Path) -> None:
    """Draws the share of true files not among the first candidates, against postings. Numbers are table lines."""
    with drawn(path) as axes:
        for depth, marker in zip(DEPTHS, "o^s", strict=True):
            missed = [1 - each.recalls[DEPTHS.index(depth)] for each in outcomes]
            axes.plot([each.density for each in outcomes], missed, marker, label=f"not among the first {depth}")
        for number, each in enumerate(outcomes, start=1):
            at = each.density, 1 - each.recalls[0]
            axes.annotate(str(number), at, (0, 6), textcoords="offset points", fontsize=7, ha="center")
        axes.set(xlabel="postings for each token", ylabel="share of the queries", yscale="log")
        axes.margins(0.1)
        axes.legend(fontsize=7)


def _recall(looked: Sequence[Looked], depth: int) -> float:
    return mean([float(0 < each.rank <= depth) for each in looked])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.first_stage", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=20)
    parser.add_argument("--files", type=int, default=200, help="of each language (default: %(default)d)")
    parser.add_argument("--setting", action="append", help="like 'e8/8 r8/8'; may be repeated (default: a list)")
    parser.add_argument("--factor", action="append", type=int, help="w' = factor * w; may be repeated (default: 2)")
    parser.add_argument("--max-df", action="append", type=float, help="share of blobs; may be repeated (default: 1)")
    parser.add_argument("--keeps", choices=sorted(KEEPS), help="names that `renamed` keeps (default: as it is)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="recall against postings, as SVG or PNG")
    options = parser.parse_args()
    with ExitStack() as stack:
        if options.keeps:
            stack.enter_context(patch.object(representations, "_member_or_called", KEEPS[options.keeps]))
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-"))
        corpus = load(
            options.sources, sorted(options.language or SHAPES), options.files, options.seed, Path(scratch) / "clones"
        )
        trial = Trial(corpus, list(cases(corpus, options.functions, options.seed)))
        settings = [
            Setting(parse(text), factor, most)
            for text in options.setting or SETTINGS
            for factor in options.factor or (2,)
            for most in options.max_df or (1.0,)
        ]
        head = (
            "terms",
            *(f"recall@{depth}" for depth in DEPTHS),
            "worst variant @50",
            "postings / token",
            "sharing a term",
        )
        print(f"{len(trial.cases)} queries, {trial.tokens:,} tokens indexed\n")
        outcomes = [tried(trial, setting) for setting in settings]
        print(table(("", *head), [(str(number), *each.row) for number, each in enumerate(outcomes, start=1)]))
    if options.plot:
        plot(outcomes, options.plot)


if __name__ == "__main__":
    main()

"""Short windows of functions among many other functions: at which rank a search finds the function.

Every function of the chosen files is a file of its own. From some of them a window of tokens is looked up: unchanged,
with variables and types renamed, and with every name renamed; literals stay. Each is looked up with its language named,
and with the language guessed. The baseline is the simplest such search: winnowing of k = 8 and w = 8 over tokens with
their literals, but one name in place of all names, ranked by the number of shared fingerprints. The projects are split
into two halves; only half A is for tuning. The measure is the mean reciprocal rank (MRR); a hit is right if one of its
locations has the window. In the last columns a hit is also right if it equals the query when each replaced name is
consistently replaced by another. The query cannot tell such functions apart.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, add_choice_options, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import Function, Token, functions, renamed, renamed_names, text
from benchmarks.timing import table
from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.tokens import TokenClass, TokenStream, part
from wherefrom.languages import LANGUAGES

LENGTHS = (25, 40, 60, 100, 150)
"""The lengths of windows in tokens."""

LINES = (3, 200)
"""A function has this many lines of code, from and to."""

K = W = 8

VARIANTS: Mapping[str, Callable[[Function], Sequence[Token]]] = {
    "unchanged": lambda function: function.tokens,
    "variables and types renamed": lambda function: renamed(function, random.Random()),
    "every name renamed": renamed_names,
}


@dataclass(frozen=True, slots=True)
class Member:
    """A function of the set: its file, and its tokens in the project's file."""

    half: str
    path: str
    function: Function
    stream: TokenStream


@dataclass(frozen=True, slots=True)
class Case:
    """A query. `window` has its tokens before, and `texts` those after renaming; `kept` tells which tokens were not
    renamed. `right` are the paths of all functions that have the window.
    """

    half: str
    variant: str
    language: str
    length: int
    right: frozenset[str]
    code: str
    window: TokenStream
    texts: Sequence[str]
    kept: NDArray[np.bool_]


def members(corpus: Corpus, number: int, seed: int) -> Iterator[Member]:
    """`number` different functions of each language."""
    for language, files in corpus.indexed.items():
        seen: set[bytes] = set()
        ending = LANGUAGES[language].extensions[0]
        every = []
        for file in files:
            for function in functions(language, file.content, file.analysis, LINES):
                begin = begin_of(file.content, file.analysis.tokens, function)
                if begin is not None:
                    stream = part(file.analysis.tokens, begin, begin + len(function.tokens))
                    if (key := stream.codes.tobytes()) not in seen:
                        seen.add(key)
                        every.append((half_of(file.project), function, stream))
        random.Random(f"{seed} {language} members").shuffle(every)
        for count, (half, function, stream) in enumerate(every[:number]):
            yield Member(half, f"{language}/{count // 1000}/{count}{ending}", function, stream)


def begin_of(content: bytes, stream: TokenStream, function: Function) -> int | None:
    """The index of the token of a file at which a function begins."""
    first = function.tokens[0].text.encode()
    wanted = [token.text.encode() for token in function.tokens[:12]]
    starts, ends = stream.starts.tolist(), stream.ends.tolist()
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if content[start:end] == first and at + len(function.tokens) <= len(starts):
            texts = [content[starts[each] : ends[each]] for each in range(at, at + len(wanted))]
            last = content[starts[at + len(function.tokens) - 1] : ends[at + len(function.tokens) - 1]]
            if texts == wanted and last == function.tokens[-1].text.encode():
                return at
    return None


def cases(found: Sequence[Member], number: int, seed: int) -> Iterator[Case]:
    """`number` windows of each language, length and half, in every variant."""
    whole = {member.path: member.stream.codes.tobytes() for member in found}
    by_language = defaultdict(list)
    for member in found:
        by_language[member.function.language].append(member)
    for language, group in by_language.items():
        for length in LENGTHS:
            chance = random.Random(f"{seed} {language} {length} windows")
            left = dict.fromkeys("AB", number)
            for member in chance.sample(group, len(group)):
                size = len(member.function.tokens)
                if size < length or not left[member.half]:
                    continue
                left[member.half] -= 1
                begin = chance.randrange(size - length + 1)
                window = part(member.stream, begin, begin + length)
                needle = window.codes.tobytes()
                right = frozenset(other.path for other in group if needle in whole[other.path])
                for variant, change in VARIANTS.items():
                    tokens = list(change(member.function))[begin : begin + length]
                    texts = [token.text for token in tokens]
                    before = [token.text for token in member.function.tokens[begin : begin + length]]
                    kept = np.array(texts) == np.array(before)
                    code = text(tokens).strip("\n")
                    yield Case(member.half, variant, language, length, right, code, window, texts, kept)
                if not any(left.values()):
                    break


class Baseline:
    """The simplest search: how many fingerprints a document shares with a query."""

    def __init__(self, found: Sequence[Member]) -> None:
        self._holders = defaultdict(list)
        for number, member in enumerate(found):
            for term in fingerprints(member.stream):
                self._holders[term].append(number)
        self._paths = [member.path for member in found]

    def rank(self, stream: TokenStream, right: frozenset[str]) -> float | None:
        """The rank of the first right document, in the middle among equals; None if no right one shares a term."""
        shared = Counter(number for term in fingerprints(stream) for number in self._holders.get(term, ()))
        best = max((count for number, count in shared.items() if self._paths[number] in right), default=0)
        if not best:
            return None
        wrong = [count for number, count in shared.items() if self._paths[number] not in right]
        return 1 + sum(count > best for count in wrong) + sum(count == best for count in wrong) / 2


def fingerprints(stream: TokenStream) -> set[int]:
    """The fingerprints of a document by winnowing, with all names replaced by one name."""
    codes = np.where(stream.classes == TokenClass.NAME, np.uint64(1), stream.codes)
    if len(codes) < K:
        return set()
    hashes = np.zeros(len(codes) - K + 1, np.uint64)
    for at in range(K):
        hashes = mix(hashes ^ codes[at : at + len(hashes)])
    return set(_winnowed(hashes).tolist())


def _winnowed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The smallest hash of each window."""
    if len(hashes) <= W:
        return hashes[[int(hashes.argmin())]]
    return np.unique(sliding_window_view(hashes, W).min(axis=1))


def is_tie(case: Case, function: TokenStream) -> bool:
    """True if a function has the query, up to consistent renaming of the replaced names."""
    window, size = case.window, len(case.window)
    if len(function) < size:
        return False
    is_new = ~case.kept & (window.classes == TokenClass.NAME)
    same = sliding_window_view(function.codes, size) == window.codes
    same |= is_new & (sliding_window_view(function.classes, size) == TokenClass.NAME)
    names = np.array(case.texts)[is_new].tolist()
    for begin in np.flatnonzero(same.all(axis=1)).tolist():
        others = function.codes[begin : begin + size][is_new].tolist()
        if len(set(zip(names, others, strict=True))) == len(set(names)) == len(set(others)):
            return True
    return False


def lay_out(found: Sequence[Member], folder: Path) -> None:
    """Writes each function as a file."""
    for member in found:
        path = folder / member.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(member.function.source)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.snippets", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=20_000)
    parser.add_argument("--files", type=int, default=4000, help="of each language (default: %(default)d)")
    parser.add_argument("--windows", type=int, default=25, help="of each language, length and half")
    parser.add_argument("--failures", type=int, default=0, help="of half A that are named")
    parser.add_argument("--index", type=Path, help="where the index of these functions is kept for a later run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or SHAPES)
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        found = list(members(corpus, options.functions, options.seed))
        place = options.index or folder / "index"
        if not place.exists():
            lay_out(found, folder / "files")
            wherefrom.index_sources([str(folder / "files")], place, jobs=2)
        baseline = Baseline(found)
        rows = defaultdict(list)
        lost = []
        streams = {member.path: member.stream for member in found}
        with wherefrom.open_index(place) as index:
            for case in cases(found, options.windows, options.seed):
                results = [index.search(case.code, language=each, limit=10) for each in (None, case.language)]
                ranks: list[float | None] = []
                for result in results:
                    right = [bool(case.right & {at.path for at in hit.occurrences}) for hit in result.hits]
                    ranks.append(right.index(True) + 1 if any(right) else None)
                ties = [_first_or_tie(result, case, streams) for result in results]
                analysis = index._analyzer.snippet(case.code.encode(), name="", language=case.language)
                ranks.append(baseline.rank(analysis.tokens, case.right))
                is_guessed = results[0].query.language == case.language
                figures = [*(1 / rank if rank else 0.0 for rank in ranks), float(is_guessed), *ties]
                rows[case.half, case.variant, case.length].append((case.language, figures))
                if case.half == "A" and min(ties) < 1:
                    lost.append((case, ranks))
    print(f"{len(found):,} functions\n")
    head = (
        "half",
        "variant",
        "tokens",
        "cases",
        "language guessed",
        "given",
        "baseline",
        "guess is right",
        "or a tie, guessed",
        "given",
    )
    print(table(head, list(_cells(rows))))
    for case, ranks in lost[: options.failures]:
        print(f"\n--- {ranks} {case.variant}, {case.language}, {case.length}: {sorted(case.right)[:3]}\n{case.code}")


def _first_or_tie(result: wherefrom.SearchResult, case: Case, streams: Mapping[str, TokenStream]) -> float:
    """The reciprocal rank of the first hit that is right or a tie; 0 if there is no such hit."""
    for rank, hit in enumerate(result.hits, 1):
        paths = {at.path for at in hit.occurrences}
        if paths & case.right or any(is_tie(case, streams[path]) for path in paths):
            return 1 / rank
    return 0.0


def _cells(
    rows: Mapping[tuple[str, str, int], Sequence[tuple[str, Sequence[float]]]],
) -> Iterator[tuple[str, ...]]:
    for (half, variant, length), group in sorted(rows.items()):
        columns = zip(*(figures for _, figures in group), strict=True)
        yield half, variant, str(length), str(len(group)), *(f"{mean(column):.3f}" for column in columns)


if __name__ == "__main__":
    main()

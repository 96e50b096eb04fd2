"""Tables of literals: answers in which only the shape agrees.

Tables of ranges, of regular expressions, of names and of numbers are cut out of real files, and looked up in an index
of files of the same projects and of others. An answer is one of shape alone where it matches several literals and each
of them is another one there. The projects are split into two halves: what is tuned is tuned on A.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, File, add_choice_options, load
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.mutation import lay_out
from benchmarks.effectiveness.syntax import SHAPES, nodes, root
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.results import Hit

NODES: Mapping[str, frozenset[str]] = {
    "c": frozenset({"initializer_list", "enumerator_list"}),
    "cpp": frozenset({"initializer_list", "enumerator_list"}),
    "java": frozenset({"array_initializer"}),
    "javascript": frozenset({"array", "object"}),
    "python": frozenset({"list", "tuple", "dictionary", "set"}),
}
"""The nodes of a syntax tree that are tables."""

LITERALS, PART = 16, 0.25
"""Literals of a table at least, and the share of its tokens that they are."""

TOKENS = 600
"""Tokens of a table at most."""

TOLD = 8
"""Literals that an answer matches at least where it can be one of shape alone."""


@dataclass(frozen=True, slots=True)
class Case:
    """A query, and the project that it is from."""

    half: str
    language: str
    label: str
    code: str


def is_literal(stream: TokenStream) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which tokens are strings or numbers."""
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.isin(stream.classes, (TokenClass.STRING, TokenClass.NUMBER))
    return found


def cases(corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """So many tables of each language and half, at most one of a file; those of projects that are not indexed too."""
    for language in corpus.indexed:
        chance = random.Random(f"{seed} {language} tables")
        files = [*corpus.indexed[language], *corpus.unknown[language]]
        left = dict.fromkeys("AB", number)
        for file in sorted(files, key=lambda _: chance.random()):
            half = half_of(file.project)
            found = list(_tables(language, file)) if left[half] else []
            if found:
                left[half] -= 1
                yield Case(half, language, file.place, chance.choice(found))


def _tables(language: str, file: File) -> Iterator[str]:
    stream = file.analysis.tokens
    literal = is_literal(stream)
    for node in nodes(root(language, file.content)):
        if node.type in NODES[language]:
            low, high = stream.starts.searchsorted((node.start_byte, node.end_byte)).tolist()
            literals = int(np.count_nonzero(literal[low:high]))
            if literals >= max(LITERALS, PART * (high - low)) and high - low <= TOKENS:
                begin = file.content.rfind(b"\n", 0, node.start_byte) + 1
                yield file.content[begin : node.end_byte].decode(errors="replace")


def literals_matched(query: TokenStream, document: TokenStream, hit: Hit) -> tuple[int, int]:
    """The literals of the query that a hit matches, and how many of them are the same there."""
    matched = same = 0
    literal = is_literal(query)
    for pair in hit.regions:
        here = int(query.starts.searchsorted(pair.query.start_byte))
        there = int(document.starts.searchsorted(pair.document.start_byte))
        inside = literal[here : here + pair.tokens]
        equal = query.codes[here : here + pair.tokens] == document.codes[there : there + pair.tokens]
        matched += int(np.count_nonzero(inside))
        same += int(np.count_nonzero(inside & equal))
    return matched, same


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.tables", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=100)
    parser.add_argument("--files", type=int, default=1500, help="of each language (default: %(default)d)")
    parser.add_argument("--failures", type=int, default=0, help="answers of shape alone in half A that are shown")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or NODES.keys() & SHAPES.keys())
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        chosen = list(cases(corpus, options.functions, options.seed))
        lay_out(corpus, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        files = {file.place: file for group in corpus.indexed.values() for file in group}
        rows, shown = defaultdict(list), []
        with wherefrom.open_index(folder / "index") as index:
            for case in chosen:
                query = analyze_snippet(case.code.encode(), language=case.language).tokens
                hits = index.search(case.code, limit=20, language=case.language).hits
                of_shape = []
                for hit in hits:
                    document = files[hit.occurrences[0].path].analysis.tokens
                    matched, same = literals_matched(query, document, hit)
                    if matched >= TOLD and not same:
                        of_shape.append(hit)
                rows[case.half].append((len(hits), len(of_shape)))
                shown += [(case, hit, files[hit.occurrences[0].path]) for hit in of_shape]
    print(table(("half", "tables", "answers", "of shape alone", "tables with such an answer"), list(_cells(rows))))
    for case, hit, file in [each for each in shown if each[0].half == "A"][: options.failures]:
        lines = [hit.regions[0].document.start_line, hit.regions[-1].document.end_line]
        print(f"\n--- {case.language}: {case.label}; {file.place}, lines {lines}, {hit.match}%\n{case.code[:400]}")
        print("...\n" + "\n".join(file.content.decode(errors="replace").splitlines()[lines[0] - 1 : lines[1]])[:400])


def _cells(rows: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[tuple[str, ...]]:
    for half, group in sorted(rows.items()):
        answers, of_shape = (sum(column) for column in zip(*group, strict=True))
        yield half, str(len(group)), str(answers), str(of_shape), str(sum(bad > 0 for _, bad in group))


if __name__ == "__main__":
    main()

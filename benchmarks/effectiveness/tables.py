"""Tables of literals: how many hits share only the shape of a table.

Tables of ranges, of regular expressions, of names and of numbers are cut out of real files, and looked up in an index
of files of the same projects and of others: alone, and with the lines around them. An answer shares only the shape if
it matches several literals, all of them have other values there, and hardly a name is the same. With the same names it
would be a copy with other values. Only half A of the projects is for tuning.
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
import tree_sitter

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, File, add_choice_options, load
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.mutation import lay_out
from benchmarks.effectiveness.syntax import SHAPES, nodes, root
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import TokenClass, TokenStream, is_literal
from wherefrom.results import Hit

NODES: Mapping[str, frozenset[str]] = {
    "c": frozenset({"initializer_list", "enumerator_list"}),
    "cpp": frozenset({"initializer_list", "enumerator_list"}),
    "java": frozenset({"array_initializer"}),
    "javascript": frozenset({"array", "object"}),
    "python": frozenset({"list", "tuple", "dictionary", "set"}),
}
"""The nodes of a syntax tree that are tables."""

LITERALS, PART = 16, 0.15
"""A table has at least this many literals, and they are at least this share of its tokens."""

KINDS = "alone", "with lines around"

TOKENS = 600
"""A table has at most this many tokens."""

AROUND = 5
"""Lines before and after a table that are looked up with it."""

TOLD, NEARLY, NAMES = 8, 1 / 8, 1 / 4
"""At least `TOLD` literals of an answer match. Nearly each differs if at most the share `NEARLY` of them is equal. An
answer shares only the shape if at most `NAMES` different names for each literal are equal too.
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A query, and the half and the project that it is from."""

    half: str
    kind: str
    language: str
    label: str
    code: str


def cases(corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """`number` tables of each language and half, at most one of a file, also from projects that are not indexed."""
    for language in corpus.indexed:
        chance = random.Random(f"{seed} {language} tables")
        files = [*corpus.indexed[language], *corpus.unknown[language]]
        left = dict.fromkeys("AB", number)
        for file in sorted(files, key=lambda _: chance.random()):
            half = half_of(file.project)
            found = list(_tables(language, file)) if left[half] else []
            if found:
                left[half] -= 1
                for kind, code in zip(KINDS, chance.choice(found), strict=True):
                    yield Case(half, kind, language, file.place, code)


def _tables(language: str, file: File) -> Iterator[tuple[str, str]]:
    """The tables of a file, each alone and with the lines around it."""
    lines = file.content.decode(errors="replace").split("\n")
    for node in tables_of(language, file):
        first, last = node.start_point[0], node.end_point[0] + 1
        yield "\n".join(lines[first:last]), "\n".join(lines[max(first - AROUND, 0) : last + AROUND])


def tables_of(language: str, file: File) -> Iterator[tree_sitter.Node]:
    """The tables of a file."""
    stream = file.analysis.tokens
    literal = is_literal(stream.classes)
    for node in nodes(root(language, file.content)):
        if node.type in NODES[language]:
            low, high = stream.starts.searchsorted((node.start_byte, node.end_byte)).tolist()
            literals = int(np.count_nonzero(literal[low:high]))
            if literals >= max(LITERALS, PART * (high - low)) and high - low <= TOKENS:
                yield node


def literals_matched(query: TokenStream, document: TokenStream, hit: Hit) -> tuple[int, int, int]:
    """How many literals of the query a hit matches, how many of them are equal, and how many different names are."""
    matched = same = 0
    names: set[int] = set()
    literal = is_literal(query.classes)
    for pair in hit.regions:
        here = int(query.starts.searchsorted(pair.query.start_byte))
        there = int(document.starts.searchsorted(pair.document.start_byte))
        inside = literal[here : here + pair.tokens]
        equal = query.codes[here : here + pair.tokens] == document.codes[there : there + pair.tokens]
        matched += int(np.count_nonzero(inside))
        same += int(np.count_nonzero(inside & equal))
        is_name = query.classes[here : here + pair.tokens] == TokenClass.NAME
        names.update(query.codes[here : here + pair.tokens][equal & is_name].tolist())
    return matched, same, len(names)


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
                different = nearly = 0
                alone = []
                for hit in hits:
                    document = files[hit.occurrences[0].path].analysis.tokens
                    matched, same, names = literals_matched(query, document, hit)
                    if matched >= TOLD and same <= NEARLY * matched:
                        nearly += 1
                        different += not same
                        alone += [hit] if not same and names <= NAMES * matched else []
                rows[case.half, case.kind].append((len(hits), nearly, different, len(alone), bool(alone)))
                shown += [(case, hit, files[hit.occurrences[0].path]) for hit in alone]
    head = (
        "half",
        "table",
        "tables",
        "answers",
        "nearly each literal differs",
        "each literal differs",
        "of shape alone",
        "tables with such an answer",
    )
    print(table(head, list(_cells(rows))))
    for case, hit, file in [each for each in shown if each[0].half == "A"][: options.failures]:
        lines = [hit.regions[0].document.start_line, hit.regions[-1].document.end_line]
        print(f"\n--- {case.language}: {case.label}; {file.place}, lines {lines}, {hit.match}%\n{case.code[:400]}")
        print("...\n" + "\n".join(file.content.decode(errors="replace").splitlines()[lines[0] - 1 : lines[1]])[:400])


def _cells(rows: Mapping[tuple[str, str], Sequence[tuple[int, int, int, int, bool]]]) -> Iterator[tuple[str, ...]]:
    for (half, kind), group in sorted(rows.items()):
        yield half, kind, str(len(group)), *(str(sum(column)) for column in zip(*group, strict=True))


if __name__ == "__main__":
    main()

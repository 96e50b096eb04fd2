"""Moves blocks of functions: how many of the copied tokens are in marked regions, and how many in right ones?

Functions of real files are cut into blocks of whole statements, which change places. The edited functions are looked up
in an index of those files. A token of the query is marked if it lies in a region of the first hit that is the true
file, and it is marked right if that region is in the lines of the function there. The projects are split into two
halves; only half A is for tuning.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, File, add_choice_options, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.mutation import lay_out
from benchmarks.effectiveness.syntax import SHAPES, nodes, root
from benchmarks.effectiveness.variants import functions, renamed, text
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.results import Hit

LINES = (10, 60)
"""A function has this many lines of code, from and to."""

BLOCKS = (3, 5)
"""A function is cut into this many blocks, from and to."""

LEAST = 12
"""A block has at least this many tokens."""

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Case:
    """A query: the function's place, and the lines of it there (1-based, inclusive)."""

    half: str
    variant: str
    language: str
    label: str
    place: str
    lines: tuple[int, int]
    code: str


def half_of(project: str) -> str:
    """The half that a project is in, by a hash of its name."""
    return "AB"[hashlib.sha256(project.encode()).digest()[0] % 2]


def moved(source: str, rows: Sequence[tuple[int, int]], chance: random.Random) -> str | None:
    """The function with its blocks in another order, or None if it has too few statements.

    Args:
        source: of the function.
        rows: the first and the last line of each statement of its body, from 0.
        chance: decides where the function is cut, and the order.
    """
    if len(rows) < BLOCKS[0]:
        return None
    lines = source.split("\n")
    wanted = chance.randint(BLOCKS[0], min(BLOCKS[1], len(rows)))
    firsts = [first for first, _ in rows]
    cuts = [firsts[0], *sorted(chance.sample(firsts[1:], wanted - 1)), rows[-1][1] + 1]
    blocks = ["\n".join(lines[low:high]) for low, high in pairwise(cuts)]
    if any(len(_WORD.findall(block)) < LEAST for block in blocks):
        return None
    order = list(range(len(blocks)))
    while any(one + 1 == two for one, two in pairwise(order)):
        chance.shuffle(order)
    return "\n".join([*lines[: cuts[0]], *(blocks[number] for number in order), *lines[cuts[-1] :]])


def _rows(language: str, content: bytes, begin: int) -> list[tuple[int, int]]:
    """The first and the last line of each statement in the body of the function that begins at byte `begin`. Lines
    count from the function's first line; statements that share a line count as one.
    """
    for node in nodes(root(language, content)):
        if node.start_byte != begin or node.type not in SHAPES[language].functions:
            continue
        body = next((each for each in nodes(node) if each.type in SHAPES[language].blocks), None)
        rows: list[tuple[int, int]] = []
        for child in () if body is None else body.named_children:
            first, last = (point[0] - node.start_point[0] for point in (child.start_point, child.end_point))
            if rows and first <= rows[-1][1]:
                rows[-1] = rows[-1][0], max(last, rows[-1][1])
            else:
                rows.append((first, last))
        return [(first, last) for first, last in rows if first]
    return []


def cases(corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """`number` functions of each language, as they are and renamed, with their blocks moved."""
    for language, files in corpus.indexed.items():
        chance = random.Random(f"{seed} {language} moved")
        left = number
        for file in sorted(files, key=lambda _: chance.random()):
            made = _of_file(language, file, chance)
            if made is not None:
                yield from made
                left -= 1
            if not left:
                break


def _of_file(language: str, file: File, chance: random.Random) -> list[Case] | None:
    found = functions(language, file.content, file.analysis, LINES)
    chance.shuffle(found)
    stream = file.analysis.tokens
    begins, ends = stream.starts.tolist(), stream.ends.tolist()
    texts = [file.content[begin:end].decode() for begin, end in zip(begins, ends, strict=True)]
    for function in found:
        own = [token.text for token in function.tokens]
        at = next((at for at in range(len(texts)) if texts[at : at + len(own)] == own), None)
        if at is None:
            continue
        rows = _rows(language, file.content, begins[at])
        code = moved(function.source.lstrip("\n"), rows, chance)
        if code is None:
            continue
        lines = int(stream.start_lines[at]), int(stream.end_lines[at + len(own) - 1])
        other = moved(text(renamed(function, chance)).lstrip("\n"), rows, chance)
        made = [("moved", code), *([] if other is None else [("moved, renamed", other)])]
        label = f"{function.name} ({file.place})"
        return [
            Case(half_of(file.project), name, language, label, file.place, lines, changed) for name, changed in made
        ]
    return None


def shares(case: Case, hits: Sequence[Hit]) -> tuple[float, float, float]:
    """The share of the query's tokens in regions of the true file, that in right ones, and 1 if that hit is first."""
    tokens = analyze_snippet(case.code.encode(), language=case.language).tokens
    ranks = [rank for rank, hit in enumerate(hits) if case.place in {each.path for each in hit.occurrences}]
    if not ranks:
        return 0.0, 0.0, 0.0
    marked = right = 0
    for pair in hits[ranks[0]].regions:
        low, high = tokens.starts.searchsorted((pair.query.start_byte, pair.query.end_byte)).tolist()
        marked += high - low
        if case.lines[0] <= pair.document.start_line and pair.document.end_line <= case.lines[1]:
            right += high - low
    return marked / len(tokens), right / len(tokens), float(ranks[0] == 0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.moved", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=40)
    parser.add_argument("--files", type=int, default=300, help="of each language (default: %(default)d)")
    parser.add_argument("--failures", type=int, default=0, help="of the worst cases of half A that are named")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or SHAPES)
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        chosen = list(cases(corpus, options.functions, options.seed))
        lay_out(corpus, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        seen = []
        with wherefrom.open_index(folder / "index") as index:
            for case in chosen:
                result = index.search(case.code, limit=10, language=case.language)
                seen.append((case, shares(case, result.hits)))
    rows = defaultdict(list)
    for case, figures in seen:
        rows[case.half, case.variant].append(figures)
    cells = [
        (half, variant, str(len(group)), *(f"{mean(column):.3f}" for column in zip(*group, strict=True)))
        for (half, variant), group in sorted(rows.items())
    ]
    print(table(("half", "variant", "cases", "marked", "marked right", "first"), cells))
    worst = sorted(((figures[1], case) for case, figures in seen if case.half == "A"), key=itemgetter(0))
    for share, case in worst[: options.failures]:
        print(f"\n--- {share:.2f} {case.variant}, {case.language}: {case.label}, lines {case.lines}\n{case.code}")


if __name__ == "__main__":
    main()

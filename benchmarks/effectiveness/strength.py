"""How often a hit of each strength is a copy.

The index holds functions of real files, each as a file of its own (see `benchmarks.effectiveness.snippets`). Looked up
are some of them in every variant of the mutation benchmark, windows of 30 tokens of them, and functions of other
projects. A hit is a copy where it holds `COPIED` of the 5-grams of the tokens of the function as it was, or of those of
what is looked up. The projects are split into two halves: what is tuned is tuned on A.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, add_choice_options, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.snippets import Member, lay_out, members
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import VARIANTS, functions, is_editable, text
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import TokenStream

COPIED = 0.4
"""Share of the 5-grams from which a hit is a copy."""

TOKENS = (40, 400)
"""Tokens of a function that is looked up, from and to."""

WINDOW = 30

STRANGERS = 12
"""Functions of other projects for each one of the index that is looked up in a half."""


@dataclass(frozen=True, slots=True)
class Case:
    """A query; `original` are the 5-grams of the function that it was made of, empty of a stranger."""

    half: str
    language: str
    code: str
    original: frozenset[bytes]


def grams(stream: TokenStream, k: int = 5) -> frozenset[bytes]:
    """The k-grams of the tokens as they are written."""
    codes = stream.codes
    return frozenset(codes[at : at + k].tobytes() for at in range(len(codes) - k + 1))


def cases(found: Sequence[Member], corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """Of each language and half so many functions in every variant, and strangers beside them."""
    for language in sorted(corpus.indexed):
        chance = random.Random(f"{seed} {language} strength")
        group = [member for member in found if member.function.language == language and _is_fit(member)]
        for half in "AB":
            own = [member for member in group if member.half == half]
            for member in chance.sample(own, min(number, len(own))):
                function, original = member.function, grams(member.stream)
                for change in VARIANTS.values():
                    yield Case(half, language, text(change(function, chance)).strip("\n"), original)
                begin = chance.randrange(len(function.tokens) - WINDOW)
                window = text(function.tokens[begin : begin + WINDOW]).strip("\n")
                yield Case(half, language, window, frozenset())
        strangers = [
            Case(half_of(file.project), language, function.source.strip("\n"), frozenset())
            for file in corpus.unknown[language]
            for function in functions(language, file.content, file.analysis, (4, 60))
        ]
        yield from chance.sample(strangers, min(2 * number * STRANGERS, len(strangers)))


def _is_fit(member: Member) -> bool:
    return TOKENS[0] <= len(member.function.tokens) <= TOKENS[1] and is_editable(member.function)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.strength", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=4)
    parser.add_argument("--files", type=int, default=300, help="of each language (default: %(default)d)")
    parser.add_argument("--members", type=int, default=3000, help="functions of each language in the index")
    options = parser.parse_args()
    shares = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or SHAPES)
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        found = list(members(corpus, options.members, options.seed))
        by_path = {member.path: member for member in found}
        lay_out(found, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        with wherefrom.open_index(folder / "index") as index:
            for case in cases(found, corpus, options.functions, options.seed):
                asked = grams(analyze_snippet(case.code.encode(), language=case.language).tokens)
                for hit in index.search(case.code, language=case.language, limit=10).hits:
                    held = grams(by_path[hit.occurrences[0].path].stream)
                    share = max(len(each & held) / max(len(each), 1) for each in (asked, case.original))
                    shares[case.half, str(hit.strength)].append(share >= COPIED)
    print(f"{len(found):,} functions\n")
    rows = [
        (half, strength, str(len(copies)), f"{mean([float(each) for each in copies]):.3f}")
        for half in "AB"
        for strength in ("strong", "fair", "weak")
        if (copies := shares[half, strength])
    ]
    print(table(("half", "strength", "hits", "copies"), rows))


if __name__ == "__main__":
    main()

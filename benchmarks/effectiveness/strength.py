"""How often a hit of each strength is a copy.

The index has functions of real files, each as a separate file (see `benchmarks.effectiveness.snippets`). Looked up are
some of them in every variant of the mutation benchmark, some variants also inside files of other projects; windows of
30 tokens of these functions; and functions and files of other projects. Only half A of the projects is for tuning.

A hit is a copy if it is the looked-up function, or if the tokens show that one was copied from the other: the hit has
the share `COPIED` of the 5-grams of that function or of the query, or the share `IN_ORDER` of its tokens in the same
order, or the query has the share `HELD` of the hit's 5-grams.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, add_choice_options, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.moved import half_of
from benchmarks.effectiveness.snippets import Member, lay_out, members
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import VARIANTS, embedded, functions, is_editable, slots, text
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import Strength

COPIED, IN_ORDER, HELD = 0.4, 0.7, 0.6

LEAST = 40
"""A hit needs this many 5-grams to count as copied in the query."""

TOKENS = (40, 400)
"""A function that is looked up has this many tokens, from and to."""

WINDOW = 30

EMBEDDED = ("exact", "renamed", "inserted", "renamed throughout, other literals", "all at once")
"""The variants that are also looked up inside a file of another project."""

HOST_LINES = (80, 900)
"""A file of another project that a function is put into has this many lines, from and to."""

STRANGERS, FILES = 12, 2
"""Functions and files of other projects that are looked up, for each indexed function looked up in a half."""


@dataclass(frozen=True, slots=True)
class Case:
    """A query, and the indexed function that it was made of; None for a window or a stranger."""

    half: str
    language: str
    code: str
    original: Member | None
    is_whole: bool


def grams(stream: TokenStream, k: int = 5) -> frozenset[bytes]:
    """The k-grams of the tokens without any renaming."""
    codes = stream.codes
    return frozenset(codes[at : at + k].tobytes() for at in range(len(codes) - k + 1))


def in_order(one: TokenStream, other: TokenStream) -> float:
    """The share of the tokens of `one` that are in `other` in the same order: their longest common subsequence,
    computed bit by bit (Hyyrö 2004).
    """
    where: dict[int, int] = defaultdict(int)
    for at, code in enumerate(one.codes.tolist()):
        where[code] |= 1 << at
    every = left = (1 << len(one)) - 1
    for code in other.codes.tolist():
        hit = left & where[code]
        left = ((left + hit) | (left - hit)) & every
    return 1 - left.bit_count() / max(len(one), 1)


def is_copy(case: Case, query: TokenStream, found: TokenStream) -> bool:
    """Whether the function that was found is a copy."""
    held, asked = grams(found), grams(query)
    texts = [query] if case.original is None else [query, case.original.stream]
    if any(len(grams(text) & held) >= COPIED * max(len(text) - 4, 1) for text in texts):
        return True
    if len(held) >= LEAST and len(asked & held) >= HELD * len(held):
        return True
    return case.is_whole and in_order(texts[-1], found) >= IN_ORDER


def cases(found: Sequence[Member], corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """`number` functions of each language and half in every variant, and code of other projects."""
    for language in sorted(corpus.indexed):
        chance = random.Random(f"{seed} {language} strength")
        group = [member for member in found if member.function.language == language and _is_fit(member)]
        hosts = [
            (file, slots(language, file.content))
            for file in corpus.unknown[language]
            if HOST_LINES[0] <= file.content.count(b"\n") <= HOST_LINES[1]
        ]
        hosts = [(file, places) for file, places in hosts if places]
        for half in "AB":
            own = [member for member in group if member.half == half]
            for member in chance.sample(own, min(number, len(own))):
                function = member.function
                for name, change in VARIANTS.items():
                    made = text(change(function, chance)).strip("\n")
                    yield Case(half, language, made, member, is_whole=True)
                    if name in EMBEDDED and hosts:
                        host, places = chance.choice(hosts)
                        inside = embedded(made, host.content, places, chance)
                        yield Case(half, language, inside, member, is_whole=True)
                begin = chance.randrange(len(function.tokens) - WINDOW)
                window = text(function.tokens[begin : begin + WINDOW]).strip("\n")
                yield Case(half, language, window, None, is_whole=False)
        strangers = [
            Case(half_of(file.project), language, function.source.strip("\n"), None, is_whole=True)
            for file in corpus.unknown[language]
            for function in functions(language, file.content, file.analysis, (4, 60))
        ]
        yield from chance.sample(strangers, min(2 * number * STRANGERS, len(strangers)))
        for file, _ in chance.sample(hosts, min(2 * number * FILES, len(hosts))):
            yield Case(half_of(file.project), language, file.content.decode(errors="replace"), None, is_whole=False)


def _is_fit(member: Member) -> bool:
    return TOKENS[0] <= len(member.function.tokens) <= TOKENS[1] and is_editable(member.function)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.strength", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=4)
    parser.add_argument("--files", type=int, default=300, help="of each language (default: %(default)d)")
    parser.add_argument("--members", type=int, default=3000, help="functions of each language in the index")
    parser.add_argument("--failures", type=int, default=0, help="strong and fair hits of half A that are not copies")
    options = parser.parse_args()
    copies, originals, shown = defaultdict(list), Counter[tuple[str, str]](), []
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
                query = analyze_snippet(case.code.encode(), language=case.language).tokens
                for hit in index.search(case.code, language=case.language, limit=10).hits:
                    member, key = by_path[hit.occurrences[0].path], (case.half, str(hit.strength))
                    is_original = case.original is not None and case.original.path in {
                        at.path for at in hit.occurrences
                    }
                    originals[key] += is_original
                    copies[key].append(is_original or is_copy(case, query, member.stream))
                    if not copies[key][-1] and case.half == "A" and hit.strength is not Strength.WEAK:
                        shown.append((case, hit, member))
    print(f"{len(found):,} functions\n")
    rows = [
        (
            half,
            strength,
            str(len(group)),
            f"{mean([float(each) for each in group]):.3f}",
            str(originals[half, strength]),
        )
        for half in "AB"
        for strength in ("strong", "fair", "weak")
        if (group := copies[half, strength])
    ]
    print(table(("half", "strength", "hits", "copies", "the function itself"), rows))
    for case, hit, member in shown[: options.failures]:
        print(f"\n--- {hit.strength}, {hit.match}%, {case.language}\n{case.code[:1500]}\n...\n{member.function.source}")


if __name__ == "__main__":
    main()

"""The constants of a search, one changed at a time: the edited functions of the mutation benchmark with each.

Everything is looked up in one index; what decides what the index holds is tried by `first_stage`, what counts as found
by `found`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from wherefrom.queries.judgement import FOUND

import wherefrom
from benchmarks.effectiveness import found
from benchmarks.effectiveness.corpus import add_choice_options, load
from benchmarks.effectiveness.found import Answer, answer, is_right
from benchmarks.effectiveness.mutation import EMBEDDED, cases, lay_out
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.timing import table
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.model import Representation
from wherefrom.queries import alignment, prepare


@dataclass(frozen=True, slots=True)
class Change:
    """Constants by module and name, with the values that are tried."""

    name: str
    values: Sequence[tuple[ModuleType, str, Any]]

    @contextmanager
    def made(self) -> Iterator[None]:
        """While the block runs."""
        with ExitStack() as stack:
            for module, constant, value in self.values:
                stack.enter_context(patch.object(module, constant, value))
            yield


def _aligned(renamed: int, p_match: int) -> Change:
    aligned: Mapping[Representation, int] = {
        **prepare.ALIGNED,
        Representation.RENAMED: renamed,
        Representation.P_MATCH: p_match,
    }
    least = min(renamed, p_match)
    return Change(
        f"k of chains: renamed {renamed}, p_match {p_match}",
        [(prepare, "ALIGNED", aligned), (prepare, "SKELETON", least), (alignment, "SKELETON", least)],
    )


def _windows(size: int) -> Change:
    return Change(
        f"long queries from {2 * size} tokens, in windows of {size}",
        [(prepare, "LONG_QUERY", 2 * size), (prepare, "WINDOW", size), (prepare, "STRIDE", size // 2)],
    )


CHANGES = (
    Change("as it is", []),
    _windows(75),
    _windows(150),
    _windows(600),
    Change("long queries whole", [(prepare, "LONG_QUERY", 10**9)]),
    _aligned(8, 16),
    _aligned(10, 14),
    _aligned(14, 20),
    Change(
        "lists of literals and parameters chained", [(prepare, "LEAST_DISTINCT", 0), (prepare, "MOST_LITERALS", 1.0)]
    ),
    *(
        Change(f"literals in a telling k-gram, at most {most}", [(prepare, "MOST_LITERALS", most)])
        for most in (0.1, 0.5)
    ),
    Change("repeated k-grams weigh each time", [(prepare, "_repetitions", lambda _: 1)]),
    *(Change(f"first stage counts {weight}", [(found, "FIRST_STAGE_WEIGHT", weight)]) for weight in (0.0, 0.1)),
    *(Change(f"short queries below {tokens} tokens", [(prepare, "SHORT_QUERY", tokens)]) for tokens in (0, 120)),
)


def row(change: Change, answers: Sequence[Answer]) -> tuple[str, ...]:
    """A line of the table."""
    cells = []
    for is_embedded in (False, True):
        for half in (0, 1):
            group = [
                each
                for each in answers
                if each.half == half and each.case.places and each.case.variant.startswith(EMBEDDED) == is_embedded
            ]
            cells.append(f"{sum(is_right(each, FOUND) for each in group) / len(group):.4f}")
    strangers = [each for each in answers if not each.case.places]
    wrong = sum(not is_right(each, FOUND) for each in strangers)
    return (change.name, *cells, f"{wrong} of {len(strangers)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.constants", description=__doc__)
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes")
    add_choice_options(parser, functions=8)
    parser.add_argument("--files", type=int, default=150, help="of each language (default: %(default)d)")
    parser.add_argument(
        "--strangers",
        type=int,
        default=40,
        help="functions that are not indexed, of each language (default: %(default)d)",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or SHAPES)
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        chosen = list(cases(corpus, options.functions, options.seed, strangers=options.strangers))
        lay_out(corpus, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        print(f"{len(chosen)} queries\n")
        head = ("constants", "true first, half A", "half B", "embedded, half A", "half B", "strangers answered")
        print(table(head, []))
        with closing(open_engine(folder / "index", schemes=scheme_ids())) as engine:
            for change in CHANGES:
                with change.made():
                    cells = row(change, [answer(engine, case) for case in chosen])
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

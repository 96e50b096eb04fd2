"""Traces answers that are assembled from functions of indexed projects and of others, and scores the spans.

An answer has prose and fences. A fence has functions of one language: some of indexed files, all as they are, renamed
or rewritten, and own ones, of projects that are not indexed. A span is right if most of its lines are of a known
function and one of its places has the function. A function is found if right spans cover half of its lines.

    python -m benchmarks.trace --clones CLONES --indexed OWNER/NAME ... --unknown OWNER/NAME ...
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
from benchmarks.effectiveness.drawing import Case, Draw, Drawing, picked, source_of
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.variants import renamed, text
from benchmarks.timing import Target, finish, percentile, table
from wherefrom.sources.listed import ListedSource

KINDS = {"as it is": 0.9, "renamed": 0.8, "rewritten": 0.7}
"""What happens to the known functions of an answer, and the least F1 that is wanted."""

FENCES, FUNCTIONS = (1, 3), (1, 3)
"""How many fences an answer has, and how many functions a fence, from and to."""

MOST_FALSE = 1 / 20
"""The highest number of false spans for each answer."""

MOST_SECONDS = 1.0

_PROSE = (
    "Sure, here is one way to do it. You may want to adapt the names to your project.",
    "The next part does the rest of the work. Call it once for each item that you have, in any order.",
    "Note that this does not check its arguments, so validate them before.",
    "If you run into problems with an older version, replace the last step by a loop.",
    "Let me know if you need the tests for this as well.",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A known function in an answer: its first and last line, and its case."""

    first: int
    last: int
    case: Case

    def common(self, span: wherefrom.TracedSpan) -> set[int]:
        """The lines of a span that are of this function."""
        return {*range(self.first, self.last + 1)} & {*range(span.lines.first, span.lines.last + 1)}

    def is_right(self, span: wherefrom.TracedSpan) -> bool:
        """True if a span is mostly of this function, and a place of it has the function or most of it."""
        right = {(place["repository"], place["path"]) for place in (*self.case.places, *self.case.near)}
        places = {(place.occurrence.repository, place.occurrence.path) for place in span.places}
        size = span.lines.last - span.lines.first + 1
        return 2 * len(self.common(span)) > size and not places.isdisjoint(right)

    def is_found(self, spans: Sequence[wherefrom.TracedSpan]) -> bool:
        """True if right spans have half of its lines."""
        lines = {line for span in spans if self.is_right(span) for line in self.common(span)}
        return 2 * len(lines) >= self.last - self.first + 1


def assembled(known: Sequence[Case], own: Sequence[Case], chance: random.Random) -> tuple[str, list[Planted]]:
    """An answer with these functions, in fences of their languages with prose around, and the known ones in it."""
    fences: dict[str, list[Case]] = defaultdict(list)
    for case in chance.sample([*known, *own], len(known) + len(own)):
        fences[case.language].append(case)
    lines: list[str] = []
    planted = []
    for language, cases in fences.items():
        lines += [chance.choice(_PROSE), "", f"```{language}"]
        for case in cases:
            code = case.code.rstrip("\n").split("\n")
            if case in known:
                planted.append(Planted(len(lines) + 1, len(lines) + len(code), case))
            lines += [*code, ""]
        lines += ["```", ""]
    return "\n".join([*lines, chance.choice(_PROSE), ""]), planted


def drawn(drawing: Drawing, number: int) -> Iterator[tuple[str, str, list[Planted]]]:
    """Answers: the kind of their known functions, the text, and these functions."""
    chance = drawing.chance("answers")
    picks = picked(drawing.indexed, chance)
    unknown = ((each.file, each.function.source, each.codes) for each in picked(drawing.unknown, chance))
    strangers = drawing.unrelated("function", unknown, 10 * number)
    kinds = [*KINDS]
    for at in range(number):
        kind = kinds[at % len(kinds)]
        known, own = [], []
        for _ in range(chance.randint(*FENCES)):
            for _ in range(chance.randint(*FUNCTIONS)):
                pick = next(picks) if chance.random() < 0.5 else None
                if pick is None:
                    own.append(next(strangers))
                    continue
                function = pick.function
                code = function.source
                if kind != "as it is":
                    code = text(renamed(function, chance)) if kind == "renamed" else rewritten(function, chance)
                known.append(drawing.case(kind, pick.file, code, pick.codes))
        yield kind, *assembled(known, own, chance)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=Path, required=True, help="folder of the projects, as OWNER/NAME")
    parser.add_argument("--indexed", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--unknown", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    drawing = Drawing(Draw(tuple(options.indexed), tuple(options.unknown), options.seed), options.clones)
    found, missed, false = Counter[str](), Counter[str](), Counter[str]()
    seconds = []
    with tempfile.TemporaryDirectory(prefix="trace-") as folder:
        sources = [ListedSource(source_of(options.clones, project), name=project) for project in options.indexed]
        wherefrom.index_sources(sources, Path(folder, "index"))
        with wherefrom.open_index(Path(folder, "index")) as index:
            for kind, answer, planted in drawn(drawing, options.answers):
                result = index.trace(answer)
                seconds.append(result.took_ms / 1000)
                for one in planted:
                    (found if one.is_found(result.spans) else missed)[kind] += 1
                false[kind] += sum(not any(one.is_right(span) for one in planted) for span in result.spans)
    rows, targets = [], []
    for kind, least in KINDS.items():
        f1 = 2 * found[kind] / max(2 * found[kind] + missed[kind] + false[kind], 1)
        rows.append([kind, f"{found[kind] + missed[kind]:,}", f"{found[kind]:,}", f"{false[kind]:,}", f"{f1:.3f}"])
        targets.append(Target(f"F1, {kind}", f1, least, at_least=True))
    print(table(["functions", "planted", "found", "false spans", "F1"], rows))
    targets.append(Target("false spans for each answer", false.total() / options.answers, MOST_FALSE))
    targets.append(Target("p95 of a trace", percentile(seconds, 0.95), MOST_SECONDS, unit=" s"))
    finish(targets)


if __name__ == "__main__":
    main()

"""How well wherefrom finds copies: a small draw of packages, measured at every change.

    python -m benchmarks.quality             # measures and prints
    python -m benchmarks.quality --check     # exits with 1 if it finds less than benchmarks/results/quality.jsonl says
    python -m benchmarks.quality --record    # writes that file, and the page benchmarks/results/quality.md
    python -m benchmarks.quality --page      # writes only the page, from the file

`quality.toml` names the packages. They are fetched from their registries and kept in `--packages`. `--held-back`
measures other packages, and is only for a release. `benchmarks.effectiveness.evidence` makes the cases, here without
formatters, so that every machine has the same.

A case that is answered differently after a change is better or worse. If a change made as many cases better as worse on
average, it would sometimes make more of them worse by chance. It counts as a loss if chance makes as many worse in less
than one of `RARE` changes (sign test): 7 cases if none is better. The share of the sure answers that are right has the
same bound, by the binomial distribution of the recorded share, to which one right and one wrong answer are added. The
time of the searches is divided by that of parsing their code, which is timed in turn.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import wherefrom
from benchmarks.effectiveness.corpus import MOST_BYTES
from benchmarks.effectiveness.drawing import Draw, Drawing
from benchmarks.effectiveness.evidence import ANSWER, UNRELATED, Answer, asked, cases, idioms
from benchmarks.effectiveness.metrics import share
from benchmarks.effectiveness.syntax import root
from benchmarks.timing import table

LANGUAGES = ("c", "go", "java", "javascript", "kotlin", "python", "rust", "typescript")

PLANS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())

CHANGE, HELD_BACK = PLANS

ROOT = Path(__file__).resolve().parents[1]

RECORD = ROOT / "benchmarks" / "results" / "quality.jsonl"

AROUND = (200,)
"""Lines of unrelated functions around a function. With 1,000, they would take most of the time."""

SURE = (0.9, 0.99)
"""For answers that are as probable as this, the tables have the share that is right."""

RARE = 100

SLOWER = 1.25
"""How much the time may grow. Nine rounds of 237 cases on a busy machine differed by up to 4% from their mean; other
processors may differ more.
"""


@dataclass(slots=True)
class Row:
    """The cases of a kind in a language: how many, and the numbers of those that are not answered rightly."""

    cases: int = 0
    wrong: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Quality:
    """What a draw gives.

    Attributes:
        rows: by kind and language.
        sure: for each of `SURE` how many answers are as probable, and how many of these are right.
        times: the processor time of all searches divided by that of parsing their code.
    """

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    sure: dict[float, tuple[int, int]] = field(default_factory=lambda: dict.fromkeys(SURE, (0, 0)))
    times: float = 0.0

    def add(self, answer: Answer) -> None:
        """Counts an answer."""
        row = self.rows.setdefault((answer.kind, answer.language), Row())
        if answer.counts(ANSWER) == answer.is_unrelated:
            row.wrong.add(row.cases)
        row.cases += 1
        probability, what = answer.first
        for least, (number, right) in self.sure.items():
            if probability >= least:
                self.sure[least] = number + 1, right + (what == "true")

    def lines(self, draw: str) -> Iterator[dict[str, Any]]:
        """As JSON values, a line each."""
        for (kind, language), row in self.rows.items():
            values = {"kind": kind, "language": language, "cases": row.cases, "wrong": sorted(row.wrong)}
            yield {"draw": draw, **values}
        for least, (number, right) in self.sure.items():
            yield {"draw": draw, "sure": least, "answers": number, "right": right}
        yield {"draw": draw, "times": round(self.times, 1)}


def measured(plan: Mapping[str, Any], packages: Path) -> Quality:
    """Indexes the packages of a draw and asks for its cases."""
    draw = Draw(tuple(plan["indexed"]), tuple(plan["unknown"]), plan["seed"], LANGUAGES)
    quality, searching, parsing = Quality(), 0.0, 0.0
    with tempfile.TemporaryDirectory(prefix="quality-") as folder:
        index = Path(folder, "index")
        # Larger files are not drawn from, so a copy in one would count as wrong.
        report = wherefrom.index_sources(draw.indexed, index, cache=packages, max_file_size=MOST_BYTES)
        if failed := [f"{each.key}: {each.error}" for each in report.repositories if each.error]:
            sys.exit("\n".join(failed))
        drawn = cases(Drawing(draw, packages), plan, AROUND, ())
        with wherefrom.open_index(index) as opened:
            for case in chain(drawn, (each for each in idioms() if each.language in LANGUAGES)):
                begin = time.process_time()
                root(case.language, case.code.encode())
                parsing += time.process_time() - begin
                answer = asked(opened, case)
                searching += answer.seconds
                quality.add(answer)
    quality.times = searching / parsing
    return quality


def read(text: str) -> dict[str, Quality]:
    """The recorded figures of each draw."""
    found: dict[str, Quality] = {}
    for line in text.splitlines():
        values = json.loads(line)
        quality = found.setdefault(values["draw"], Quality())
        if "kind" in values:
            quality.rows[values["kind"], values["language"]] = Row(values["cases"], set(values["wrong"]))
        elif "sure" in values:
            quality.sure[values["sure"]] = values["answers"], values["right"]
        else:
            quality.times = values["times"]
    return found


def groups(quality: Quality) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The sets of cases that are judged together: each kind, and all cases with a copy or without one, of each language
    and in all. Gives the name of each set and its rows.
    """
    for kind in dict.fromkeys(kind for kind, _ in quality.rows):
        yield kind, [row for row in quality.rows if row[0] == kind]
    for name, without in (("code with a copy", False), ("code without a copy", True)):
        rows = [row for row in quality.rows if is_without(row[0]) == without]
        yield f"all {name}", rows
        for language in LANGUAGES:
            yield f"{language}, {name}", [row for row in rows if row[1] == language]


def is_without(kind: str) -> bool:
    """Whether code of a kind has no copy in the index."""
    return kind.startswith((UNRELATED, "idiom"))


def losses(now: Quality, before: Quality) -> Iterator[str]:
    """What is worse than before by more than chance."""
    if {row: it.cases for row, it in now.rows.items()} != {row: it.cases for row, it in before.rows.items()}:
        yield "the draw has other cases than the recorded one: look at the figures and record them"
        return
    for name, rows in groups(now):
        worse = sum(len(now.rows[row].wrong - before.rows[row].wrong) for row in rows)
        better = sum(len(before.rows[row].wrong - now.rows[row].wrong) for row in rows)
        if worse > better and at_least(worse, worse + better, 0.5) < 1 / RARE:
            yield f"{name}: {worse} cases are worse and {better} better"
    for least, (number, right) in now.sure.items():
        recorded, true = before.sure[least]
        if at_least(number - right, number, (recorded - true + 1) / (recorded + 2)) < 1 / RARE:
            yield f"of answers from {least} on {right} of {number} are right; {true} of {recorded} were"
    if now.times > SLOWER * before.times:
        yield f"a search takes {now.times:.1f} times as long as parsing its code; it took {before.times:.1f} times"


def at_least(number: int, of: int, rate: float) -> float:
    """The probability of `number` or more of `of` cases that each have the probability `rate`."""
    ways = (math.lgamma(of + 1) - math.lgamma(each + 1) - math.lgamma(of - each + 1) for each in range(number, of + 1))
    return math.fsum(
        math.exp(way + each * math.log(rate) + (of - each) * math.log1p(-rate)) for each, way in enumerate(ways, number)
    )


def page(found: Mapping[str, Quality]) -> str:
    """The page of results."""
    parts = ["# Quality at every change", "", *(line.strip() for line in INTRODUCTION.strip().splitlines())]
    for draw, quality in found.items():
        parts += ["", f"## The draw `{draw}`", "", *tables(quality)]
    return "\n".join(parts) + "\n"


def tables(quality: Quality) -> Iterator[str]:
    """The tables of a draw."""
    for without, head in ((False, "true file first"), (True, "answered")):
        rows = []
        for kind in dict.fromkeys(kind for kind, _ in quality.rows if is_without(kind) == without):
            of = [quality.rows.get((kind, language), Row()) for language in LANGUAGES]
            cells = [
                f"{(len(it.wrong) if without else it.cases - len(it.wrong)) / it.cases:.2f}" if it.cases else ""
                for it in of
            ]
            all_of = [(number in it.wrong) == without for it in of for number in range(it.cases)]
            rows.append((kind, str(len(all_of)), share(all_of), *cells))
        yield from (table(("query", "number", head, *LANGUAGES), rows), "")
    rows = [
        (f"{least} or more", f"{number:,}", share([True] * right + [False] * (number - right)))
        for least, (number, right) in quality.sure.items()
    ]
    yield from (table(("stated probability", "first answers", "true"), rows), "")
    yield f"A search takes {quality.times:.1f} times the processor time of parsing its code."


INTRODUCTION = """
`python -m benchmarks.quality --record` measures a small draw of packages, and writes this page and
[quality.jsonl](quality.jsonl). [quality.toml](../quality.toml) names the packages with their versions. CI compares each
change with these figures. [quality.py](../quality.py) says what counts as a loss. The draw `held-back` is only measured
for a release.
"""


def main() -> None:
    """Measures and prints, checks or records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true")
    what.add_argument("--record", action="store_true")
    what.add_argument("--page", action="store_true")
    parser.add_argument("--held-back", action="store_true")
    parser.add_argument("--packages", type=Path, default=ROOT / "build" / "packages", help="folder of fetched packages")
    options = parser.parse_args()
    draw = HELD_BACK if options.held_back else CHANGE
    if not options.page:
        now = measured(PLANS[draw], options.packages)
        print("\n".join(tables(now)))
        print(f"{time.process_time():.0f} s of processor", file=sys.stderr)
        if options.check:
            found = list(losses(now, read(RECORD.read_text())[draw]))
            if found:
                sys.exit("\n".join(found))
        if options.record:
            recorded = {**(read(RECORD.read_text()) if RECORD.exists() else {}), draw: now}
            lines = (json.dumps(line) for name in PLANS if name in recorded for line in recorded[name].lines(name))
            RECORD.write_text("".join(f"{line}\n" for line in lines))
    if options.record or options.page:
        RECORD.with_suffix(".md").write_text(page(read(RECORD.read_text())))


if __name__ == "__main__":
    main()

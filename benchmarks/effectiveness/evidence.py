"""Draws queries in eleven languages, and says how often the true file is first, and how sure the answers are.

    python -m benchmarks.effectiveness.evidence draw fit --clones CLONES --work WORK
    python -m benchmarks.effectiveness.evidence judge --work WORK

`draw` writes `WORK/index.wherefrom`, an index of the draw's `indexed` projects, and `WORK/cases.jsonl`, a case a line
(see `drawing.Case`). `evidence.toml` names the projects. Formatters are found on the path (see `reformatted`); where
there is none, `variants.reformatted` does their work. `judge` asks every case, and the idioms of `HAND_IDIOMS`, a file
each in the folder of its language. It writes `WORK/answers.jsonl`, an answer a line, and skips the cases that the file
has, so another product needs another file (`--answers`).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any

import wherefrom
from benchmarks.effectiveness.corpus import File
from benchmarks.effectiveness.drawing import (
    LINES,
    RELATED,
    Case,
    Draw,
    Drawing,
    Pick,
    begin_of,
    changed_piece,
    every_second_group,
    mixed,
    picked,
    pieces,
    source_of,
    texts_of,
)
from benchmarks.effectiveness.metrics import share
from benchmarks.effectiveness.reformatted import Formatter, formatters, in_place
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.syntax import root
from benchmarks.effectiveness.variants import functions, halved, reformatted, renamed, text
from benchmarks.timing import percentile, table
from wherefrom.errors import AnalysisError
from wherefrom.sources.listed import ListedSource

LANGUAGES = ("c", "csharp", "go", "java", "javascript", "kotlin", "php", "python", "ruby", "rust", "typescript")

PLANS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())

HAND_IDIOMS = Path(__file__).parent / "hand_idioms"
UNRELATED, IDIOM = "unrelated", "idiom written by hand"

PIECES, WHOLE_PIECES = (7, 4), 12
"""Lines of pieces that are changed as well, and of pieces that are taken only as they are."""

AROUND = (200, 1000)
"""Lines of unrelated functions around a function."""

MOST_OTHERS, MOST_OF_FILE = 400, 5
"""The most unrelated functions of a language that are pasted around others, and the most of one file."""

INSIDE, WORDS, TELLING, HEADER, MOST_PLACES = 7, 15, 3, 3, 3
"""A text of a literal or comment has `INSIDE` lines and at least `WORDS` words; a line of `TELLING` words is telling.
The literal or comment begins behind the first lines of its file, and few files have most telling lines: no license.
"""

ANSWER, STRONG = 0.5, 0.9
BANDS = (ANSWER, 0.7, STRONG, 0.99, 1.01)

_LITERAL = re.compile(r"string|heredoc|nowdoc")
FORMATTERS = (
    *formatters(None),
    Formatter(
        "clang-format, Google", ("csharp", "java"), ("clang-format", "--style=Google", "--assume-filename={name}")
    ),
)


def formatted(pick: Pick, code: str, chance: random.Random, found: Sequence[Formatter]) -> str | None:
    """The code in place of a function of a file, after a formatter rewrote the file; None if no formatter can."""
    stream, content, path = pick.file.analysis.tokens, pick.file.content, Path(pick.file.path)
    language, first = pick.file.analysis.language, begin_of(content, stream, pick.function)
    fitting = [each for each in found if language in each.languages]
    if first is None or not fitting:
        return None
    span = int(stream.starts[first]), int(stream.ends[first + len(pick.function.tokens) - 1])
    return in_place(language, content, span, code, lambda made: chance.choice(fitting).formatted(path.name, made))


def strangers(drawing: Drawing, language: str, chance: random.Random) -> Iterator[str]:
    """Functions of projects that are not indexed."""
    for file in mixed(_of(drawing.unknown, language), chance):
        for function in functions(language, file.content, file.analysis, LINES)[:MOST_OF_FILE]:
            begin = begin_of(file.content, file.analysis.tokens, function)
            if begin is not None:
                codes = file.analysis.tokens.codes[begin : begin + len(function.tokens)]
                if drawing.shared(codes) < RELATED:
                    yield function.source


def among(code: str, others: Sequence[str], lines: int, chance: random.Random) -> str:
    """The code among some of the others, which have about `lines` lines."""
    chosen: list[str] = []
    for other in chance.sample(others, len(others)):
        if sum(each.count("\n") + 2 for each in chosen) >= lines:
            break
        chosen.append(other)
    chosen.insert(chance.randrange(len(chosen) + 1), code)
    return "\n\n".join(each.strip("\n") for each in chosen)


def of_functions(
    drawing: Drawing, language: str, number: int, around: Sequence[int], found: Sequence[Formatter]
) -> Iterator[Case]:
    """Functions of indexed files as they are, changed, and among functions of other projects."""
    chance = drawing.chance(f"{language} functions")
    others = list(islice(strangers(drawing, language, chance), MOST_OTHERS))
    for pick in islice(picked(_of(drawing.indexed, language), chance), number):
        function = pick.function
        laid_out = replace(function, tokens=tuple(reformatted(function, chance)))
        other = formatted(pick, function.source, chance, found)
        changed = rewritten(function, chance)
        if chance.random() < 0.5:
            several = formatted(pick, changed, chance, found) or changed
        else:
            several = text(halved(replace(laid_out, tokens=tuple(renamed(laid_out, chance))), chance))
        made = {
            "as it is": function.source,
            "locals renamed": text(renamed(function, chance)),
            "half": text(halved(function, chance)),
            "reformatted": other if other and other != function.source else text(laid_out.tokens),
            **{f"pasted into {lines:,} lines": among(function.source, others, lines, chance) for lines in around},
            "every second group of 3 lines": every_second_group(function),
            "rewritten": changed,
            "several changes and a formatter": several,
        }
        for kind, code in made.items():
            yield drawing.case(f"function, {kind}", pick.file, code, pick.codes)


def of_pieces(drawing: Drawing, language: str, number: int) -> Iterator[Case]:
    """Lines of functions of indexed files."""
    for lines in (*PIECES, WHOLE_PIECES):
        chance = drawing.chance(f"{language} pieces of {lines}")
        for pick, begin, end in islice(pieces(_of(drawing.indexed, language), lines, chance), number):
            for kind, code in changed_piece(pick.function, begin, end, chance).items():
                if lines in PIECES or kind == "as it is":
                    yield drawing.case(f"{lines} lines, {kind}", pick.file, code, pick.codes[begin:end])


def inside(file: File) -> Iterator[tuple[str, int, int]]:
    """The literals and comments of a file: what they are, and their first and last line, from 0."""
    waiting, comments = [root(file.analysis.language, file.content)], list[tuple[int, int]]()
    while waiting:
        node = waiting.pop()
        first, last = node.start_point.row, node.end_point.row
        if "comment" in node.type:
            last -= node.end_point.column == 0
            if comments and comments[-1][1] + 1 == first:
                first = comments.pop()[0]
            comments.append((first, last))
        elif _LITERAL.search(node.type) and "concatenated" not in node.type and node.is_named:
            yield "literal", first, last
        else:
            waiting += reversed(node.children)
    yield from (("comment", *span) for span in comments)


def of_insides(drawing: Drawing, language: str, number: int) -> Iterator[Case]:
    """Lines inside literals and comments of indexed files, at most one of a file and kind."""
    chance, counts = drawing.chance(f"{language} insides"), Counter[str]()
    files = _of(drawing.indexed, language)
    for file in mixed(files, chance):
        lines = file.content.decode().split("\n")
        for kind in ("literal", "comment"):
            begins = [
                begin
                for what, first, last in inside(file)
                if what == kind and first >= HEADER
                for begin in range(first + 1, last - INSIDE + 1)
                if len(re.findall(r"\w+", " ".join(lines[begin : begin + INSIDE]))) >= WORDS
            ]
            if not begins or counts[kind] >= number:
                continue
            begin = chance.choice(begins)
            piece = lines[begin : begin + INSIDE]
            telling = [line.strip().encode() for line in piece if len(line.split()) >= TELLING]
            near = [each for each in files if 2 * sum(line in each.content for line in telling) > len(telling)]
            if len(near) <= MOST_PLACES:
                counts[kind] += 1
                code = "\n".join(piece)
                right = [each for each in files if code.encode() in each.content]
                places, others = (
                    [{"repository": each.project, "path": each.path} for each in group]
                    for group in (right, [each for each in near if each not in right])
                )
                case = drawing.case(f"{INSIDE} lines inside a {kind}", file, code, file.analysis.tokens.codes[:0])
                yield replace(case, places=places, near=others)


def unrelated(drawing: Drawing, language: str, number: int) -> Iterator[Case]:
    """Functions, and lines of them, of projects that are not indexed."""
    files = _of(drawing.unknown, language)
    picks = picked(files, drawing.chance(f"{language} unrelated functions"))
    yield from drawing.unrelated("function", ((each.file, each.function.source, each.codes) for each in picks), number)
    for lines in (*PIECES, WHOLE_PIECES):
        found = pieces(files, lines, drawing.chance(f"{language} unrelated pieces of {lines}"))
        yield from drawing.unrelated(f"{lines} lines", texts_of(found), number)


def _of(files: Iterable[File], language: str) -> list[File]:
    return [file for file in files if file.analysis.language == language]


def cases(
    drawing: Drawing, plan: Mapping[str, Any], around: Sequence[int], found: Sequence[Formatter]
) -> Iterator[Case]:
    """The cases of a draw. Functions are put among `around` lines, and `found` are the formatters."""
    for language in drawing.languages:
        yield from of_functions(drawing, language, plan["functions"], around, found)
        yield from of_pieces(drawing, language, plan["functions"])
        yield from of_insides(drawing, language, plan["inside"])
        yield from unrelated(drawing, language, plan["unrelated"])


def write(plan: dict[str, Any], clones: Path, work: Path) -> None:
    """Writes the index and the cases of a draw, and prints how many cases of each kind and language there are."""
    work.mkdir(parents=True, exist_ok=True)
    indexed, unknown = (tuple(each.partition("@")[0] for each in plan[which]) for which in ("indexed", "unknown"))
    draw, index, counts = Draw(indexed, unknown, plan["seed"], LANGUAGES), work / "index.wherefrom", Counter[str]()
    if not index.exists():
        sources = [ListedSource(source_of(clones, project), name=project) for project in draw.indexed]
        wherefrom.index_sources(sources, index)
    drawing = Drawing(draw, clones)
    with (work / "cases.jsonl").open("w") as written:
        for case in cases(drawing, plan, AROUND, FORMATTERS):
            counts[f"{case.kind}, {case.language}"] += 1
            written.write(json.dumps(asdict(case)) + "\n")
    for kind, count in sorted(counts.items()):
        print(f"{count:5} {kind}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search answered: of each hit in order the probability, and whether it is `true`, `near` or `wrong`."""

    id: str
    kind: str
    language: str
    seconds: float
    hits: list[tuple[float, str]]

    @property
    def first(self) -> tuple[float, str]:
        """The first hit, without files that are neither surely right nor wrong; (0, "") if there is none."""
        return next(((sure, what) for sure, what in self.hits if what != "near"), (0.0, ""))

    @property
    def is_unrelated(self) -> bool:
        """Whether no file is true."""
        return self.kind.startswith(UNRELATED) or self.kind == IDIOM

    def counts(self, least: float) -> bool:
        """Whether the first hit is as probable as this, and true; for unrelated code whatever it is."""
        sure, what = self.first
        return sure >= least and (what == "true" or self.is_unrelated)


def asked(index: wherefrom.Index, case: Case) -> Answer:
    """Asks for a case."""
    right, near = ({(at["repository"], at["path"]) for at in places} for places in (case.places, case.near))
    begin, hits = time.process_time(), []
    try:
        found = index.search(case.code, name=case.name).hits
    except AnalysisError:
        found = ()
    seconds = time.process_time() - begin
    for hit in found:
        at = {(each.repository, each.path) for each in hit.occurrences}
        what = "true" if at & right else "near" if at & near else "wrong"
        hits.append((1.0 if hit.probability is None else hit.probability, what))
    return Answer(case.id, case.kind, case.language, seconds, hits)


def idioms() -> Iterator[Case]:
    """The idioms written by hand."""
    for path in sorted(HAND_IDIOMS.glob("*/*.*")):
        language = path.parent.name
        yield Case(f"{language}/{path.name}", IDIOM, path.name, language, path.read_text(), [], [], 0.0, "", "")


def answers(cases: Iterable[Case], index: Path, written: Path) -> list[Answer]:
    """The answers to the cases. Skips those that the file has."""
    lines = written.read_text().splitlines() if written.exists() else []
    known = {each.id: each for each in (Answer(**json.loads(line)) for line in lines)}
    found = []
    with wherefrom.open_index(index) as opened, written.open("a") as file:
        for case in cases:
            if case.id not in known:
                known[case.id] = asked(opened, case)
                file.write(json.dumps(asdict(known[case.id])) + "\n")
                file.flush()
            found.append(known[case.id])
    return found


def row(kind: str, group: Sequence[Answer]) -> tuple[str, ...]:
    """What the answers to a kind of query are worth, and the language for which they are worth least."""
    right = {
        language: [answer.counts(ANSWER) for answer in group if answer.language == language]
        for language in sorted({answer.language for answer in group})
    }
    rates = [(sum(each) / len(each), language) for language, each in right.items()]
    rate, language = (max if group[0].is_unrelated else min)(rates)
    times = [percentile([1000 * answer.seconds for answer in group], at) for at in (0.5, 0.95)]
    shares = [share([answer.counts(least) for answer in group]) for least in (ANSWER, STRONG)]
    return (kind, f"{len(group):,}", *shares, f"{rate:.3f} {language}", *(f"{each:,.0f}" for each in times))


def report(found: Sequence[Answer]) -> Iterator[str]:
    """The tables: queries with a copy, queries without one, and whether stated probabilities hold (without idioms)."""
    groups: dict[str, list[Answer]] = {}
    for answer in found:
        groups.setdefault(answer.kind, []).append(answer)
    for without, head in ((False, ("true file first", "lowest")), (True, ("answered", "highest"))):
        rows = [row(kind, group) for kind, group in groups.items() if group[0].is_unrelated == without]
        yield table(("query", "number", head[0], "strong", f"{head[1]} language", "ms p50", "ms p95"), rows)
    rows = []
    for low, high in pairwise(BANDS):
        firsts = [answer.first for answer in found if low <= answer.first[0] < high and answer.kind != IDIOM]
        stated = sum(sure for sure, _ in firsts) / max(len(firsts), 1)
        true = share([what == "true" for _, what in firsts])
        rows.append((f"{low} to {min(high, 1.0)}", f"{len(firsts):,}", f"{stated:.3f}", true))
    yield table(("stated probability", "first answers", "mean", "true"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.evidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    draw, judge = commands.add_parser("draw"), commands.add_parser("judge")
    draw.add_argument("draw", choices=PLANS)
    draw.add_argument("--clones", type=Path, required=True, help="folder of the projects, as OWNER/NAME")
    for each in (draw, judge):
        each.add_argument("--work", type=Path, required=True, help="folder of the index, the cases and the answers")
    judge.add_argument("--answers", type=Path, help="file of the answers (default: WORK/answers.jsonl)")
    judge.add_argument("--every", type=int, default=1, help="ask only every Nth case (default: 1)")
    options = parser.parse_args()
    if options.command == "draw":
        write(PLANS[options.draw], options.clones, options.work)
        return
    drawn = (Case(**json.loads(line)) for line in (options.work / "cases.jsonl").read_text().splitlines())
    asking = islice(chain(drawn, idioms()), 0, None, options.every)
    written = options.answers or options.work / "answers.jsonl"
    print("\n\n".join(report(answers(asking, options.work / "index.wherefrom", written))))


if __name__ == "__main__":
    main()

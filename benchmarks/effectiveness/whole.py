"""Whole programs and what is like nothing: changed copies that are to be found, strangers that are not to be answered.

Ten thousand files of the projects in `programs` are indexed. Looked up are

- the programs that `obfuscation` has changed, by `similar` (either way of ranking) and by `search`: the original is to
  be first;
- whole programs, and functions, of projects that are not indexed: nothing is to be found;
- programs that share idioms with the index and nothing else;
- with `--ocd` its changed programs beside their originals, with `--soco` its Java programs, which are in no index.

Programs are dealt to two halves by their names: constants are chosen on half A, and half B says what they are worth.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness import obfuscation
from benchmarks.effectiveness.programs import OTHERS, PROGRAMS, SEED, UNKNOWN, Program, files, some
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import functions
from benchmarks.timing import table
from wherefrom.analyzers.analysis import Analysis, analyze_file

EXPECTED = Path(__file__).with_name("whole_expected.json")
BLOBS = 10_000
STRANGERS = 200
"""Whole programs of each language that are in no index."""

FUNCTIONS = 300
FUNCTION_LINES = (10, 40)
FUNCTION_LANGUAGES = ("c", "java", "python")
ORIGINAL = "0_orig"


@dataclass(frozen=True, slots=True)
class Query:
    """A text that is looked up.

    Attributes:
        group: what it is counted with.
        name: tells it from others; decides its half.
        language: of the text.
        code: the text.
        place: the file that is to be first, None where nothing is.
    """

    group: str
    name: str
    language: str
    code: bytes
    place: str | None

    @property
    def half(self) -> int:
        """0 for A, 1 for B."""
        return zlib.crc32((self.place or self.name).encode()) % 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query came to: the first place, None where nothing was found."""

    query: Query
    call: str
    rank: int | None
    first: str | None
    score: float

    @property
    def is_right(self) -> bool:
        """Whether the original is first; of a stranger whether nothing was found."""
        return self.first is None if self.query.place is None else self.rank == 1


def indexed(clones: Path) -> list[Program]:
    """The files of the index: all of `PROGRAMS`, and an equal share of each language of `OTHERS`."""
    found = [program for language, projects in PROGRAMS.items() for program in files(clones, language, projects)]
    by_language = {language: list(files(clones, language, projects)) for language, projects in OTHERS.items()}
    seen = {program.content for program in found}
    for left, (language, others) in zip(
        range(len(by_language), 0, -1), sorted(by_language.items(), key=lambda each: len(each[1])), strict=True
    ):
        fresh = [program for program in others if program.content not in seen]
        chosen = some(fresh, -(-(BLOBS - len(seen)) // left), f"{language} others")
        found += chosen
        seen |= {program.content for program in chosen}
    return found


def lay_out(programs: Iterable[Program], folder: Path) -> None:
    """Writes the files that are indexed."""
    for program in programs:
        path = folder / program.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(program.content)


def changed(folder: Path) -> Iterator[Query]:
    """The programs of a set that `obfuscation` made."""
    for each in obfuscation.load(folder):
        code = (folder / each.file).read_bytes()
        yield Query(f"changed, {each.language}: {each.version}", each.file, each.language, code, each.place)


def ocd(folder: Path) -> tuple[list[Program], list[Query]]:
    """The originals of OCD, which are indexed, and the changed versions of each."""
    originals, queries = [], []
    for path in sorted(folder.glob("resources/tests/*/*/*.java")):
        program, version = path.parts[-3:-1]
        if version == ORIGINAL:
            originals.append(Program(f"ocd/{program}", path.name, path.read_bytes()))
        else:
            place = f"ocd/{program}/{_original_name(path)}"
            queries.append(Query(f"changed, OCD: {version}", f"{program}/{version}", "java", path.read_bytes(), place))
    return originals, queries


def _original_name(path: Path) -> str:
    (original,) = (path.parents[1] / ORIGINAL).glob("*.java")
    return original.name


def strangers(clones: Path) -> Iterator[Query]:
    """Whole programs of projects that are not indexed."""
    for language, projects in UNKNOWN.items():
        found = [program for program in files(clones, language, projects) if obfuscation.is_program(program)]
        for program in some(found, STRANGERS, f"{language} strangers"):
            yield Query(f"no copy, {language}", program.place, language, program.content, None)


def soco(folder: Path) -> Iterator[Query]:
    """The Java programs of SOCO-14."""
    for path in sorted((folder / "java").iterdir()):
        yield Query("no copy, SOCO-14 java", path.name, "java", path.read_bytes(), None)


def unrelated_functions(clones: Path) -> Iterator[Query]:
    """Functions of projects that are not indexed, one of a file."""
    for language in FUNCTION_LANGUAGES:
        chance = random.Random(f"{SEED} {language} functions")
        left = FUNCTIONS
        found = list(files(clones, language, UNKNOWN[language]))
        for program in some(found, len(found), f"{language} functions"):
            code = _function(language, program, chance)
            if code is not None and left:
                left -= 1
                yield Query(f"unrelated functions, {language}", program.place, language, code, None)


def _function(language: str, program: Program, chance: random.Random) -> bytes | None:
    try:
        program.content.decode()
    except UnicodeDecodeError:
        return None
    analysis = analyze_file(program.path, program.content)
    if language not in SHAPES or not isinstance(analysis, Analysis) or analysis.language != language:
        return None
    found = functions(language, program.content, analysis, FUNCTION_LINES)
    return chance.choice(found).source.encode() if found else None


CALLS: Mapping[str, Callable[[wherefrom.Index, Query], wherefrom.SearchResult]] = {
    "search": lambda index, query: index.search(query.code.decode("utf-8", "replace"), language=query.language),
    "similar": lambda index, query: index.similar_to(query.code, language=query.language),
    "similar, by resemblance": lambda index, query: index.similar_to(
        query.code, language=query.language, by="resemblance"
    ),
}


def answer(index: wherefrom.Index, query: Query, call: str) -> Answer:
    """Looks a query up."""
    hits = CALLS[call](index, query).hits
    places = [[occurrence.path for occurrence in hit.occurrences] for hit in hits]
    rank = next((number for number, each in enumerate(places, 1) if query.place in each), None)
    return Answer(query, call, rank, places[0][0] if places else None, hits[0].score if hits else 0.0)


def figures(answers: Iterable[Answer]) -> dict[str, tuple[float, float]]:
    """The share that is right of each group and call, and of the groups of a kind together, in half A and in half B."""
    groups: dict[str, list[Answer]] = defaultdict(list)
    for each in answers:
        for group in {each.query.group, each.query.group.partition(":")[0], each.query.group.partition(",")[0]}:
            groups[f"{group}, by {each.call}"].append(each)
    return {name: (_share(found, 0), _share(found, 1)) for name, found in sorted(groups.items())}


def _share(answers: Sequence[Answer], half: int) -> float:
    some_of_them = [each.is_right for each in answers if each.query.half == half]
    return sum(some_of_them) / len(some_of_them) if some_of_them else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.whole", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of clones, as OWNER/NAME")
    parser.add_argument("--changed", type=Path, help="folder that `obfuscation` made")
    parser.add_argument("--ocd", type=Path, help="the OCD data set")
    parser.add_argument("--soco", type=Path, help="the training part of SOCO-14")
    parser.add_argument("--work", type=Path, required=True, help="folder for the index, which is used again")
    parser.add_argument("--group", action="append", help="only groups that begin so; may be repeated")
    parser.add_argument("--call", action="append", choices=sorted(CALLS), help="only this one; may be repeated")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--every", type=int, default=1, help="only one query in so many (default: %(default)d)")
    parser.add_argument("--answers", type=Path, help="write every answer, as JSON Lines")
    options = parser.parse_args()
    originals, queries = ocd(options.ocd) if options.ocd else ([], [])
    if options.changed:
        queries += changed(options.changed)
    queries += [*strangers(options.clones), *unrelated_functions(options.clones)]
    if options.soco:
        queries += soco(options.soco)
    if not (options.work / "index").exists():
        lay_out([*indexed(options.clones), *originals], options.work / "files")
        wherefrom.index_sources([str(options.work / "files")], options.work / "index")
    wanted = [
        query
        for query in queries
        if (options.half is None or query.half == options.half)
        and (not options.group or any(query.group.startswith(group) for group in options.group))
    ][:: options.every]
    answers = []
    seconds: dict[str, float] = defaultdict(float)
    written = options.answers.open("w") if options.answers else None
    with wherefrom.open_index(options.work / "index") as index:
        print(f"{index.stats().blobs} blobs, {len(wanted)} queries", flush=True)
        for query in wanted:
            for call in options.call or CALLS:
                if query.place is None and call != "search":
                    continue
                begin = time.process_time()
                each = answer(index, query, call)
                answers.append(each)
                seconds[call] += time.process_time() - begin
                if written:
                    q = each.query
                    row = [q.group, q.name, q.place, q.half, each.call, each.rank, each.first, each.score]
                    written.write(json.dumps(row) + "\n")
                    written.flush()
    rows = []
    for name, halves in figures(answers).items():
        n = sum(
            f"{g}, by {a.call}" == name
            for a in answers
            for g in {a.query.group, a.query.group.partition(":")[0], a.query.group.partition(",")[0]}
        )
        rows.append((name, str(n), *(f"{share:.4f}" for share in halves)))
    print(table(("group", "queries", "right, half A", "right, half B"), rows))
    print({call: f"{spent:.1f} s" for call, spent in seconds.items()})


if __name__ == "__main__":
    main()

"""Whole programs: a search must find changed copies, and must have no hits for strangers.

Ten thousand files of the projects in `programs` are indexed. Looked up are

- the programs that `obfuscation` has changed, by `similar` (either way of ranking) and by `search`: the original must
  rank first;
- whole programs, and functions, of projects that are not indexed: there must be no hit;
- scripts of such projects that share idioms with the index: there must be no hit;
- with `--ocd` changed programs of OCD, whose originals are indexed; with `--soco` Java programs that are in no index.

Programs are divided into two halves by their names: constants are chosen on half A, and judged on half B.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness import idioms, obfuscation
from benchmarks.effectiveness.programs import DRAWS, OTHERS, Draw, Program, files, some
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import functions
from benchmarks.timing import table
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis

EXPECTED = Path(__file__).with_name("whole_expected.json")

COPIES: Mapping[str, Mapping[str, str]] = json.loads(Path(__file__).with_name("whole_copies.json").read_text())
"""Answers to strangers that a reader found to be copies: for the name of each query, the right places and why."""

BLOBS = 10_000
STRANGERS = 200
"""How many whole programs of each language are looked up that are in no index."""

FUNCTIONS = 300
FUNCTION_LINES = (10, 40)
FUNCTION_LANGUAGES = ("c", "java", "python")
ORIGINAL = "0_orig"

IDIOMS = (
    re.compile(rb"typeof define\s*===?\s*['\"]function['\"]"),
    re.compile(rb"\bin\b[^;{}]*\)\s*\{?\s*if\s*\([^;{}]*hasOwn"),
    re.compile(rb"slice\.call\(\s*arguments|\[[^;=]*\]\s*=\s*arguments\["),
)
"""Idioms that many scripts share: modules that load in three ways, loops over own properties, copies of `arguments`."""


VENDORED = re.compile(r"(?i)json2|jquery|underscore|vendor|node_modules|/lib/")
"""Paths of scripts that are copies, or are likely to be copies."""


@dataclass(frozen=True, slots=True)
class Query:
    """A text that is looked up.

    Attributes:
        group: the name of the queries with which it is counted.
        name: unique; decides the part of a query without a place.
        language: of the text.
        code: the text.
        place: the file that must be first; None if there must be no hit.
    """

    group: str
    name: str
    language: str
    code: bytes
    place: str | None

    def part(self, parts: Sequence[str]) -> str:
        """The part of the draw to which the query belongs."""
        return parts[zlib.crc32((self.place or self.name).encode()) % len(parts)]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query: the rank of the right file, and the first place with its score, if there is a hit."""

    query: Query
    call: str
    rank: int | None
    first: str | None
    score: float

    @property
    def is_right(self) -> bool:
        """Whether the original is first; for a stranger, whether nothing is found or the first hit is a known copy."""
        if self.query.place is not None:
            return self.rank == 1
        return self.first is None or self.first in COPIES.get(self.query.name, {})


def indexed(clones: Path, draw: Draw) -> list[Program]:
    """The files of the index: all files of the programs' projects, and an equal share of each language of `OTHERS`."""
    found = [program for language, projects in draw.programs.items() for program in files(clones, language, projects)]
    by_language = {language: list(files(clones, language, projects)) for language, projects in OTHERS.items()}
    seen = {program.content for program in found}
    for left, (language, others) in zip(
        range(len(by_language), 0, -1), sorted(by_language.items(), key=lambda each: len(each[1])), strict=True
    ):
        fresh = [program for program in others if program.content not in seen]
        chosen = some(fresh, -(-(BLOBS - len(seen)) // left), f"{language} others", draw.seed)
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


def strangers(clones: Path, draw: Draw) -> Iterator[Query]:
    """Whole programs of projects that are not indexed."""
    for language, projects in draw.unknown.items():
        found = [program for program in files(clones, language, projects) if obfuscation.is_program(program)]
        for program in some(found, STRANGERS, f"{language} strangers", draw.seed):
            yield Query(f"no copy, {language}", program.place, language, program.content, None)


def idiomatic(clones: Path, draw: str) -> Iterator[Query]:
    """Scripts with idioms from projects that are not indexed, and scripts made of idioms."""
    found = [
        program
        for program in files(clones, "javascript", DRAWS[draw].idioms)
        if obfuscation.is_program(program) and not VENDORED.search(program.path)
    ]
    fitting = [program for program in found if any(idiom.search(program.content) for idiom in IDIOMS)]
    for program in some(fitting, STRANGERS, "idioms", DRAWS[draw].seed):
        yield Query("idioms: real", program.place, "javascript", program.content, None)
    for name, code in idioms.scripts(found, draw, STRANGERS):
        yield Query("idioms: made", name, "javascript", code, None)


def soco(folder: Path) -> Iterator[Query]:
    """The Java programs of SOCO-14."""
    for path in sorted((folder / "java").iterdir()):
        yield Query("no copy, SOCO-14 java", path.name, "java", path.read_bytes(), None)


def unrelated_functions(clones: Path, draw: Draw) -> Iterator[Query]:
    """Functions of projects that are not indexed, one of a file."""
    for language in FUNCTION_LANGUAGES:
        chance = random.Random(f"{draw.seed} {language} functions")
        left = FUNCTIONS
        found = list(files(clones, language, draw.unknown.get(language, ())))
        for program in some(found, len(found), f"{language} functions", draw.seed):
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


def groups_of(query: Query) -> list[str]:
    """The names under which a query is counted: its group, and the kind of its group."""
    kind = query.group.partition(":")[0]
    return [query.group] if kind == query.group else [query.group, kind]


def figures(answers: Iterable[Answer], parts: Sequence[str]) -> dict[str, dict[str, float]]:
    """For each group and call the number of queries, and the share of right answers in each part that has queries."""
    found: dict[str, list[Answer]] = defaultdict(list)
    for each in answers:
        for group in groups_of(each.query):
            found[f"{group}, by {each.call}"].append(each)
    made: dict[str, dict[str, float]] = {}
    for name, some_of_them in sorted(found.items()):
        made[name] = {"queries": float(len(some_of_them))}
        for part in parts:
            right = [each.is_right for each in some_of_them if each.query.part(parts) == part]
            if right:
                made[name][part] = round(sum(right) / len(right), 4)
    return made


def fallen(seen: Mapping[str, Mapping[str, float]], expected: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A line for each figure that is below what is expected."""
    return [
        f"{name}, part {part}: {seen[name].get(part, 0.0):.4f}, expected {share:.4f}"
        for name in seen
        if expected.get(name, {}).get("queries") == seen[name]["queries"]
        for part, share in expected[name].items()
        if part != "queries" and seen[name].get(part, 0.0) < share
    ]


def wrong(answers: Iterable[Answer]) -> Iterator[str]:
    """A line for each answer that is not right: the group, the query, what is first and its score."""
    for each in answers:
        if not each.is_right:
            yield f"{each.query.group}\t{each.call}\t{each.query.name}\t{each.first or '-'}\t{each.score:.1f}"


def thinned(queries: Iterable[Query], every: int) -> list[Query]:
    """Every Nth query of each group; N is `every`."""
    groups: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        groups[query.group].append(query)
    return [query for group in groups.values() for query in group[::every]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.whole", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of clones, as OWNER/NAME")
    parser.add_argument("--draw", choices=DRAWS, default="first", help="of projects (default: %(default)s)")
    parser.add_argument("--changed", type=Path, help="folder that `obfuscation` made")
    parser.add_argument("--ocd", type=Path, help="the OCD data set")
    parser.add_argument("--soco", type=Path, help="the training part of SOCO-14")
    parser.add_argument("--work", type=Path, required=True, help="folder for the index, which is used again")
    parser.add_argument("--group", action="append", help="only groups that begin so; may be repeated")
    parser.add_argument("--call", action="append", choices=sorted(CALLS), help="only this one; may be repeated")
    parser.add_argument(
        "--every", type=int, default=3, help="use only every Nth query of a group (default: %(default)d)"
    )
    parser.add_argument("--answers", type=Path, help="write the answers to this file, for reading")
    parser.add_argument("--update", action="store_true", help=f"write what is seen to {EXPECTED.name}")
    options = parser.parse_args()
    draw = DRAWS[options.draw]
    originals, queries = ocd(options.ocd) if options.ocd else ([], [])
    queries += changed(options.changed) if options.changed else ()
    queries += [*strangers(options.clones, draw), *idiomatic(options.clones, options.draw)]
    queries += [*unrelated_functions(options.clones, draw), *(soco(options.soco) if options.soco else ())]
    if not (options.work / "index").exists():
        lay_out([*indexed(options.clones, draw), *originals], options.work / "files")
        wherefrom.index_sources([str(options.work / "files")], options.work / "index")
    wanted = [
        query
        for query in thinned(queries, options.every)
        if not options.group or query.group.startswith(tuple(options.group))
    ]
    answers = []
    seconds: dict[str, float] = defaultdict(float)
    with wherefrom.open_index(options.work / "index") as index:
        print(f"{index.stats().blobs:,} blobs, {len(wanted):,} queries\n", flush=True)
        for query in wanted:
            for call in options.call or CALLS:
                if query.place is not None or call == "search":
                    begin = time.process_time()
                    answers.append(answer(index, query, call))
                    seconds[call] += time.process_time() - begin
    seen = figures(answers, draw.parts)
    rows = [
        (name, f"{each['queries']:.0f}", *(f"{each[part]:.3f}" if part in each else "" for part in draw.parts))
        for name, each in seen.items()
    ]
    print(table(("group", "queries", *(f"right, {part}" for part in draw.parts)), rows))
    print("\n" + ", ".join(f"{call}: {spent:.0f} s of a processor" for call, spent in seconds.items()))
    if options.answers:
        options.answers.write_text("".join(f"{line}\n" for line in wrong(answers)))
    known = json.loads(EXPECTED.read_text())
    if options.update:
        known[options.draw] = {**known.get(options.draw, {}), **seen}
        EXPECTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    elif lines := fallen(seen, known.get(options.draw, {})):
        sys.exit("\n".join(["\nbelow what is expected:", *lines]))


if __name__ == "__main__":
    main()

"""How often a function or a file is found in its port to another language (benchmarks/results/translations.md).

    python -m benchmarks.translations --clones FOLDER --index INDEX [--seed N] [--misses FILE]

FOLDER has a clone of each project of `PORTS` as OWNER+NAME, and INDEX has all of them beside others. A function is
drawn if a function of the same name is in the file of the same name in the port, or in at most two files of the port; a
file is drawn if the port has one of the same name. Each is searched with the language of the port alone, and each
function also in all languages, where a function of the same name in any port of the project is right.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import wherefrom
from benchmarks.timing import table
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.analyzers.units import functions_of_file
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.results import Hit

PORTS = """
graphql/graphql-js:src/*.ts graphql-python/graphql-core:src/*.py
graphql/graphql-js:src/*.ts webonyx/graphql-php:src/*.php
graphql/graphql-js:src/*.ts GraphQLSwift/GraphQL:Sources/*.swift
webonyx/graphql-php:src/*.php GraphQLSwift/GraphQL:Sources/*.swift
pemistahl/lingua:src/*.kt pemistahl/lingua-rs:src/*.rs
pemistahl/lingua-rs:src/*.rs pemistahl/lingua-py:*.py
nulab/zxcvbn4j:src/*.java bjeavons/zxcvbn-php:src/*.php
bjeavons/zxcvbn-php:src/*.php dwolfhub/zxcvbn-python:zxcvbn/*.py
dwolfhub/zxcvbn-python:zxcvbn/*.py shssoichiro/zxcvbn-rs:src/*.rs
envato/zxcvbn-ruby:lib/*.rb nulab/zxcvbn4j:src/*.java
HdrHistogram/HdrHistogram:src/*.java HdrHistogram/HdrHistogram.NET:*.cs
HdrHistogram/HdrHistogram:src/*.java HdrHistogram/HdrHistogram_rust:src/*.rs
HdrHistogram/HdrHistogram:src/*.java HdrHistogram/hdrhistogram-go:*.go
apache/avro:lang/java/*.java apache/avro:lang/csharp/*.cs
apache/avro:lang/ruby/*.rb apache/avro:lang/py/*.py
apache/avro:lang/php/*.php apache/avro:lang/ruby/*.rb
optimizely/python-sdk:optimizely/*.py optimizely/ruby-sdk:lib/*.rb
optimizely/ruby-sdk:lib/*.rb optimizely/php-sdk:src/*.php
optimizely/php-sdk:src/*.php optimizely/swift-sdk:Sources/*.swift
optimizely/swift-sdk:Sources/*.swift optimizely/java-sdk:*.java
horizontalsystems/bitcoin-kit-android:*.kt horizontalsystems/bitcoin-kit-ios:*.swift
horizontalsystems/bitcoin-kit-ios:*.swift horizontalsystems/bitcoin-kit-android:*.kt
jkbrzt/rrule:src/*.ts fmeringdal/rust-rrule:*.rs
fmeringdal/rust-rrule:*.rs teambition/rrule-go:*.go
hamcrest/JavaHamcrest:*.java hamcrest/hamcrest-php:hamcrest/*.php
less/less.js:packages/*.js wikimedia/less.php:lib/*.php
beautifier/js-beautify:js/*.js beautifier/js-beautify:python/*.py
bradymholt/cron-expression-descriptor:*.cs bradymholt/cRonstrue:src/*.ts
growthbook/growthbook-kotlin:*.kt growthbook/growthbook-swift:*.swift
growthbook/growthbook-swift:*.swift growthbook/growthbook-kotlin:*.kt
growthbook/growthbook-php:src/*.php growthbook/growthbook-ruby:lib/*.rb
Auburn/FastNoiseLite:Java/*.java Auburn/FastNoiseLite:Go/*.go
nayuki/QR-Code-generator:java/*.java nayuki/QR-Code-generator:python/*.py
nayuki/QR-Code-generator:typescript-javascript/*.ts nayuki/QR-Code-generator:rust/*.rs
google/diff-match-patch:java/*.java google/diff-match-patch:python3/*.py
google/diff-match-patch:javascript/*.js google/diff-match-patch:csharp/*.cs
cosinekitty/astronomy:source/csharp/*.cs cosinekitty/astronomy:source/kotlin/*.kt
cosinekitty/astronomy:source/kotlin/*.kt cosinekitty/astronomy:source/python/*.py
"""
"""A direction a line, each side as project, folder and ending of its files."""

FUNCTION, FILE = 40, 100
"""The least number of tokens of a function and of a file that is drawn."""

_NOT_DRAWN = re.compile(r"(?i)test|example|demo|generated|/data/|/testdata/")
_NO_NAMES = frozenset(b"if for while switch catch return function fn func fun def".split())


@dataclass(frozen=True, slots=True)
class Function:
    """A function, from the byte `begin` to `end` of its file. Its name has only small letters and digits."""

    name: str
    begin: int
    end: int
    tokens: int


@dataclass(frozen=True)
class File:
    """A file with its functions that can be drawn."""

    project: str
    path: str
    language: str
    content: bytes
    tokens: int
    functions: tuple[Function, ...]

    @property
    def base(self) -> str:
        """The name without folders and ending, in small letters and digits."""
        return _plain(self.path.rpartition("/")[2].rpartition(".")[0])


@dataclass(slots=True)
class Direction:
    """The drawn functions and files with the files of the port that are right for each."""

    name: str
    language: str
    functions: list[tuple[File, Function, list[File]]] = field(default_factory=list)
    files: list[tuple[File, list[File]]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.translations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--clones", type=Path, required=True, help="a folder with a clone of each project")
    parser.add_argument("--index", type=Path, required=True, help="an index of these clones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=40, help="at most this many of each direction")
    parser.add_argument("--files", type=int, default=15, help="at most this many of each direction")
    parser.add_argument("--misses", type=Path, help="write what was not found first there, to read it")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    misses: list[dict[str, object]] = []
    rows = []
    with wherefrom.open_index(options.index) as index:
        for line in PORTS.split("\n")[1:-1]:
            drawn = _drawn(options.clones, line, chance, options.functions, options.files)
            rows.append((drawn.name, _counted(index, options.clones, drawn, misses)))
            print(drawn.name, dict(rows[-1][1]), flush=True)
    total: Counter[str] = sum((counts for _, counts in rows), Counter())
    columns = (
        *("functions", "first", "at .9", "own project at .9", "other project at .9", "none", "first, all languages"),
        *("functions of files of one name", "first of these", "files", "first file", "no file"),
    )
    shown = [(name, *(str(counts[column]) for column in columns)) for name, counts in [*rows, ("all", total)]]
    print(table(("from and to", *columns), shown))
    if options.misses:
        options.misses.write_text(json.dumps(misses, indent=1), encoding="utf-8")


def _drawn(clones: Path, line: str, chance: random.Random, functions: int, files: int) -> Direction:
    sources, ports = (_files(clones, side) for side in line.split())
    by_base, by_function = defaultdict(list), defaultdict(list)
    for port in ports:
        by_base[port.base].append(port)
        for name in {function.name for function in port.functions}:
            by_function[name].append(port)
    found = Direction(" > ".join(re.sub(r"^[^/]*/|:[^*]*\*", "", side) for side in line.split()), ports[0].language)
    for source in sources:
        same = by_base.get(source.base, [])
        if same and source.tokens >= FILE:
            found.files.append((source, same))
        for function in source.functions:
            named = by_function.get(function.name, [])
            right = [port for port in same if port in named] or (named if len(named) <= 2 else [])
            if right:
                found.functions.append((source, function, right))
    chance.shuffle(found.functions)
    chance.shuffle(found.files)
    del found.functions[functions:], found.files[files:]
    return found


def _counted(index: wherefrom.Index, clones: Path, drawn: Direction, misses: list[dict[str, object]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    languages = [drawn.language]

    def missed(kind: str, source: File, name: str, right: Sequence[File], hits: Sequence[Hit]) -> None:
        first = [(hits[0].occurrences[0].repository, hits[0].occurrences[0].path, hits[0].probability)] if hits else []
        paths = [(port.project, port.path) for port in right]
        misses.append(
            {"kind": kind, "from": drawn.name, "path": source.path, "name": name, "right": paths, "hit": first}
        )

    for source, function, right in drawn.functions:
        code = source.content[function.begin : function.end]
        hits = index.search(code, language=source.language, languages=languages, limit=10).hits
        is_first, is_sure = bool(hits) and _is_of(hits[0], right), bool(hits) and (hits[0].probability or 0) >= 0.9
        is_own = bool(hits) and any(
            _owner(side) in hits[0].occurrences[0].repository for side in _family(source.project)
        )
        is_of_file = any(port.base == source.base for port in right)
        counts += Counter(
            {
                "functions": 1,
                "first": is_first,
                "none": not hits,
                "at .9": is_first and is_sure,
                "own project at .9": is_sure and not is_first and is_own,
                "other project at .9": is_sure and not is_first and not is_own,
                "functions of files of one name": is_of_file,
                "first of these": is_of_file and is_first,
            }
        )
        anywhere = [hit for hit in index.search(code, language=source.language, limit=10).hits if hit.translated_from]
        same = [port for port in _kin(clones, source.project) if any(it.name == function.name for it in port.functions)]
        counts["first, all languages"] += bool(anywhere) and _is_of(anywhere[0], same)
        if not is_first:
            missed("function", source, function.name, right, hits)
    for source, right in drawn.files:
        hits = index.similar_to(source.content, language=source.language, limit=50).hits
        hits = tuple(hit for hit in hits if hit.language == drawn.language)
        is_first = bool(hits) and _is_of(hits[0], right)
        counts += Counter({"files": 1, "first file": is_first, "no file": not hits})
        if not is_first:
            missed("file", source, source.base, right, hits)
    return counts


def _is_of(hit: Hit, files: Sequence[File]) -> bool:
    return any(
        at.path == port.path and _owner(port.project) in at.repository for at in hit.occurrences for port in files
    )


def _owner(project: str) -> str:
    return project.replace("/", "+")


@cache
def _family(project: str) -> frozenset[str]:
    """The projects that are ports of a project or of its ports."""
    found = {project}
    lines = [{side.partition(":")[0] for side in line.split()} for line in PORTS.split("\n")[1:-1]]
    while more := [line for line in lines if line & found and not line <= found]:
        found = found.union(*more)
    return frozenset(found)


@cache
def _kin(clones: Path, project: str) -> list[File]:
    sides = {side for side in PORTS.split() if side.partition(":")[0] in _family(project)}
    return [file for side in sorted(sides) for file in _files(clones, side)]


@cache
def _files(clones: Path, side: str) -> list[File]:
    project, _, pattern = side.partition(":")
    folder, _, ending = pattern.partition("*")
    git = ["git", "-C", str(clones / _owner(project))]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], check=True, capture_output=True, text=True).stdout
    found = []
    for entry in listed.split("\0")[:-1]:
        facts, path = entry.split("\t", 1)
        if path.startswith(folder) and path.endswith(ending) and not _NOT_DRAWN.search(path):
            blob = facts.split()[2]
            content = subprocess.run([*git, "cat-file", "blob", blob], check=True, capture_output=True).stdout
            read = functions_of_file(path, content, Limits())
            if len(content) < 1_000_000 and not isinstance(read, SkipReason):
                analysis, spans = read
                tokens = analysis.tokens
                functions = tuple(_functions(content, tokens, spans))
                found.append(File(project, path, analysis.language, content, len(tokens), functions))
    return found


def _functions(content: bytes, tokens: TokenStream, spans: Sequence[tuple[int, int]]) -> Iterator[Function]:
    for begin, end in spans:
        name = _name(content, tokens, begin, end)
        if name and end - begin >= FUNCTION:
            yield Function(name, int(tokens.starts[begin]), int(tokens.ends[end - 1]), end - begin)


def _name(content: bytes, tokens: TokenStream, begin: int, end: int) -> str | None:
    """The first name before an opening parenthesis, or behind `def`, without annotations and type parameters."""
    texts = [content[tokens.starts[at] : tokens.ends[at]] for at in range(begin, min(end, begin + 80))]
    depth = 0
    for at, text in enumerate(texts[:-1]):
        depth += (text in b"[<") - (text in b"]>") if text else 0
        is_name = tokens.classes[begin + at] == TokenClass.NAME and text not in _NO_NAMES and depth <= 0
        is_called = texts[at + 1] in {b"(", b"<"} or texts[at - 1 : at] == [b"def"]
        if is_name and is_called and texts[at - 1 : at] != [b"@"]:
            return _plain(text.decode("utf-8", "replace"))
    return None


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


if __name__ == "__main__":
    main()

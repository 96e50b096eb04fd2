"""Draws queries from named projects, to fit and to judge the rule that decides what is a copy.

    python -m benchmarks.effectiveness.draws fit --clones CLONES --work WORK

writes `WORK/index.wherefrom`, an index of the draw's `indexed` projects, and `WORK/cases.jsonl`, a case a line (see
`drawing.Case`): code of those projects as it is and changed, and code of projects that are not indexed. The cases
follow from the commits and the seed of the draw. The two draws share neither projects nor families of them. `--tools`
is the folder that `benchmarks.effectiveness.obfuscation` describes, `--ocd` the OCD data set.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import wherefrom
from benchmarks.effectiveness import draws_whole
from benchmarks.effectiveness.corpus import File
from benchmarks.effectiveness.drawing import Case, Draw, Drawing, Pick, clone_of, picked
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.variants import Function, Token, halved, renamed, renamed_throughout, slots, text
from wherefrom.sources.listed import ListedSource

PIECES = (4, 7)
"""How many lines a piece has."""

LEAST_PIECE = 15
"""A piece has at least this many tokens."""

AROUND = 100
"""Lines of another project before and after a function that is pasted."""

MOST_METHODS = 4
"""A text with one indexed function has at most this many functions."""

FUNCTIONS, PIECES_OF_EACH, UNRELATED = 300, 300, 1000
"""How many functions, pieces of each length, and unrelated texts of each kind are drawn."""

DRAWS: Mapping[str, Draw] = {
    "fit": Draw(
        indexed=(
            *("pallets/flask", "pallets/click", "pallets/jinja", "tornadoweb/tornado", "celery/celery"),
            *("expressjs/express", "tj/commander.js", "lodash/lodash", "colinhacks/zod"),
            *("google/gson", "junit-team/junit4", "redis/redis", "curl/curl", "fmtlib/fmt"),
            *("gin-gonic/gin", "spf13/cobra", "BurntSushi/ripgrep", "serde-rs/serde"),
            *("JamesNK/Newtonsoft.Json", "DapperLib/Dapper", "slimphp/Slim", "guzzle/guzzle"),
            *("sinatra/sinatra", "jekyll/jekyll", "bats-core/bats-core", "nvm-sh/nvm"),
        ),
        unknown=(
            *("scrapy/scrapy", "python-attrs/attrs", "axios/axios", "excalidraw/excalidraw", "apache/commons-lang"),
            *("libuv/libuv", "google/leveldb", "labstack/echo", "tokio-rs/axum", "AutoMapper/AutoMapper"),
            *("composer/composer", "puma/puma", "pyenv/pyenv"),
        ),
        idioms="fifth",
        seed=3301,
    ),
    "judge": Draw(
        indexed=(
            *("encode/httpx", "Textualize/rich", "pytest-dev/pytest", "networkx/networkx"),
            *("chartjs/Chart.js", "preactjs/preact", "fastify/fastify", "date-fns/date-fns"),
            *("square/retrofit", "zxing/zxing", "mockito/mockito", "jqlang/jq", "libgit2/libgit2", "catchorg/Catch2"),
            *("prometheus/client_golang", "urfave/cli", "clap-rs/clap", "sharkdp/bat"),
            *("serilog/serilog", "App-vNext/Polly", "Seldaek/monolog", "twigphp/Twig"),
            *("ruby-grape/grape", "rack/rack", "acmesh-official/acme.sh"),
        ),
        unknown=(
            *("marshmallow-code/marshmallow", "psf/black", "mochajs/mocha", "vuejs/core", "jhy/jsoup"),
            *("brettwooldridge/HikariCP", "libevent/libevent", "open-source-parsers/jsoncpp", "go-chi/chi"),
            *("hyperium/hyper", "FluentValidation/FluentValidation", "thephpleague/flysystem", "lostisland/faraday"),
            *("asdf-vm/asdf", "rvm/rvm"),
        ),
        idioms="sixth",
        seed=9161,
    ),
}


def lines_of(tokens: Sequence[Token]) -> list[int]:
    """The numbers of the tokens that begin a line, followed by the number of tokens."""
    return [0, *(at for at, token in enumerate(tokens) if at and "\n" in token.gap), len(tokens)]


def cut(tokens: Sequence[Token], begin: int, end: int) -> str:
    """The text of the tokens from `begin` up to `end`, with the first line's margin but nothing before."""
    first = tokens[begin]
    return text([replace(first, gap=first.gap.rpartition("\n")[2]), *tokens[begin + 1 : end]]) + "\n"


def every_second_group(function: Function) -> str:
    """The first three of every six lines of a function."""
    lines = function.source.splitlines(keepends=True)
    return "".join(line for at, line in enumerate(lines) if at // 3 % 2 == 0)


def pasted(code: str, host: File, places: Sequence[int], chance: random.Random) -> str:
    """Puts a text before a function of a file, between `AROUND` lines of the file before and after."""
    content = host.content
    place = chance.choice(places)
    before, behind = content[:place].decode().splitlines(), content[place:].decode().splitlines()
    return "\n".join([*before[-AROUND:], *code.strip("\n").splitlines(), "", *behind[:AROUND]]) + "\n"


def piece(function: Function, lines: int, chance: random.Random) -> tuple[int, int] | None:
    """The half-open token range of `lines` consecutive lines, chosen at random; None if no lines have enough tokens."""
    edges = lines_of(function.tokens)
    fitting = [
        (one, other)
        for one, other in zip(edges, edges[lines:], strict=False)
        if other - one >= LEAST_PIECE and not any("\n" in token.text for token in function.tokens[one:other])
    ]
    return chance.choice(fitting) if fitting else None


def part_of(function: Function, begin: int, end: int) -> Function:
    """Consecutive tokens of a function, with their statements except one that begins with the first token."""
    statements = tuple(
        replace(each, begin=each.begin - begin, end=each.end - begin)
        for each in function.statements
        if begin < each.begin and each.end <= end
    )
    first = function.tokens[begin]
    margin = first.gap.rpartition("\n")[2]
    tokens = (replace(first, gap=margin, bare=margin), *function.tokens[begin + 1 : end])
    return replace(function, tokens=tokens, statements=statements)


def of_functions(drawing: Drawing) -> Iterator[Case]:
    """Functions of indexed files as they are, changed, and among code of other projects."""
    chance = drawing.chance("functions")
    hosts: dict[str, list[tuple[File, list[int]]]] = {}
    others: dict[str, list[Function]] = {}
    for pick in islice(picked(drawing.indexed, chance), FUNCTIONS):
        function, language = pick.function, pick.file.analysis.language
        if language not in hosts:
            unknown = [file for file in drawing.unknown if file.analysis.language == language]
            chance.shuffle(unknown)
            long = [file for file in unknown if file.content.count(b"\n") >= 2 * AROUND]
            hosts[language] = [(file, places) for file in long[:40] if (places := slots(language, file.content))]
            others[language] = [each.function for each in islice(picked(unknown, chance), 40)]
        made = {
            "as it is": function.source,
            "locals renamed": text(renamed(function, chance)),
            "every name renamed, other literals": text(renamed_throughout(function, chance)),
            "half": text(halved(function, chance)),
            "every second group of 3 lines": every_second_group(function),
            "rewritten": rewritten(function, chance),
        }
        if hosts[language]:
            made["pasted"] = pasted(function.source, *chance.choice(hosts[language]), chance)
        if len(others[language]) >= MOST_METHODS:
            methods = [each.source for each in chance.sample(others[language], chance.randrange(1, MOST_METHODS))]
            methods.insert(chance.randrange(len(methods) + 1), function.source)
            made["one of several"] = "\n\n".join(methods)
        for kind, code in made.items():
            yield drawing.case(f"function, {kind}", pick.file, code, pick.codes)


def of_pieces(drawing: Drawing) -> Iterator[Case]:
    """Lines of functions of indexed files."""
    for lines in PIECES:
        chance = drawing.chance(f"pieces of {lines}")
        for pick, begin, end in islice(pieces(drawing.indexed, lines, chance), PIECES_OF_EACH):
            for kind, code in changed_piece(pick.function, begin, end, chance).items():
                yield drawing.case(f"{lines} lines, {kind}", pick.file, code, pick.codes[begin:end])


def changed_piece(function: Function, begin: int, end: int, chance: random.Random) -> dict[str, str]:
    """Consecutive tokens of a function as they are and changed, by the kind of change."""
    return {
        "as it is": cut(function.tokens, begin, end),
        "locals renamed": cut(renamed(function, chance), begin, end),
        "rewritten": rewritten(part_of(function, begin, end), chance),
    }


def pieces(files: Iterable[File], lines: int, chance: random.Random) -> Iterator[tuple[Pick, int, int]]:
    """Lines of one function of each file: the function, and the half-open range of their tokens."""
    for pick in picked(files, chance):
        span = piece(pick.function, lines, chance)
        if span is not None:
            yield pick, *span


def texts_of(found: Iterable[tuple[Pick, int, int]]) -> Iterator[tuple[File, str, NDArray[np.uint64]]]:
    """The file, the text and the codes of pieces, as `Drawing.unrelated` takes them."""
    for pick, begin, end in found:
        yield pick.file, cut(pick.function.tokens, begin, end), pick.codes[begin:end]


def unrelated(drawing: Drawing) -> Iterator[Case]:
    """Functions, and lines of them, of projects that are not indexed."""
    picks = picked(drawing.unknown, drawing.chance("unrelated functions"))
    yield from drawing.unrelated(
        "function", ((each.file, each.function.source, each.codes) for each in picks), UNRELATED
    )
    for lines in PIECES:
        found = pieces(drawing.unknown, lines, drawing.chance(f"unrelated pieces of {lines}"))
        yield from drawing.unrelated(f"{lines} lines", texts_of(found), UNRELATED)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.draws", description=__doc__)
    parser.add_argument("draw", choices=DRAWS)
    parser.add_argument("--clones", type=Path, required=True, help="folder of the projects, as OWNER/NAME")
    parser.add_argument("--work", type=Path, required=True, help="folder for the index and the cases")
    parser.add_argument("--tools", type=Path, help="folder of minifiers and obfuscators")
    parser.add_argument("--ocd", type=Path, help="the OCD data set, whose originals are indexed as well")
    options = parser.parse_args()
    draw = DRAWS[options.draw]
    options.work.mkdir(parents=True, exist_ok=True)
    originals = draws_whole.ocd_originals(options.ocd, options.work / "ocd") if options.ocd else []
    index = options.work / "index.wherefrom"
    if not index.exists():
        sources = [ListedSource(clone_of(options.clones, project), name=project) for project in draw.indexed]
        sources += [ListedSource(options.work / "ocd", name=draws_whole.OCD)] if options.ocd else []
        wherefrom.index_sources(sources, index)
    drawing = Drawing(draw, options.clones, originals)
    sets = [of_functions(drawing), of_pieces(drawing), unrelated(drawing)]
    sets += [draws_whole.of_tables(drawing), draws_whole.of_imports(drawing), draws_whole.of_files(drawing)]
    sets += [draws_whole.of_idioms(drawing, draw.idioms), draws_whole.of_prose(drawing, draw, options.clones)]
    sets += [draws_whole.of_obfuscated(drawing, options.tools, options.work / "obfuscated")] if options.tools else []
    sets += [draws_whole.of_ocd(drawing, options.ocd)] if options.ocd else []
    counts: Counter[str] = Counter()
    with (options.work / "cases.jsonl").open("w") as written:
        for case in chain.from_iterable(sets):
            counts[case.kind] += 1
            written.write(json.dumps(asdict(case)) + "\n")
    for kind, count in sorted(counts.items()):
        print(f"{count:5} {kind}")


if __name__ == "__main__":
    main()

"""Finding hidden copies: functions of 1,000 real Python files in seven variants; and functions that are not indexed.

The true file counts as first when it is among the occurrences of the first hit: near-identical files are one hit. Every
case that fails is printed. All choices follow from one seed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.copies import VARIANTS, Function, embedded, functions, is_host
from benchmarks.corpus import HELD_OUT, Project, add_corpus_option, corpus_folder, projects
from benchmarks.files import SEED, File, shuffled
from benchmarks.timing import Target, finish, percentile, table
from wherefrom.results import SearchResult

LEAST_FIRST = 0.98
HOST_LINES = (300, 2000)


@dataclass(frozen=True, slots=True)
class Case:
    """A query. `path` is the file that it comes from; None if there must be no hit."""

    variant: str
    name: str
    path: str | None
    code: str


def place(file: File) -> str:
    """The path of a file in the indexed folder."""
    return f"{file.project}/{file.path}"


def chosen_files(found: Sequence[Project], number: int, seed: int) -> list[File]:
    """At most `number` Python files with distinct contents."""
    files: dict[bytes, File] = {}
    for file in shuffled(found, "python", seed):
        if len(files) == number:
            break
        if file.path.endswith(".py") and len(file.content) > 1000:
            files.setdefault(file.content, file)
    return list(files.values())


def chosen_functions(files: Sequence[File], number: int, chance: random.Random) -> list[tuple[File, Function]]:
    """One function from each of `number` files. Its text is in no other file."""
    texts = [file.content.decode("utf-8", "replace") for file in files]
    owners: dict[str, int] = {}
    per_file = [functions(text) for text in texts]
    for found in per_file:
        for source in {each.source for each in found}:
            owners[source] = owners.get(source, 0) + 1
    result: list[tuple[File, Function]] = []
    for file, found in zip(files, per_file, strict=True):
        own = [each for each in found if owners[each.source] == 1]
        if own and len(result) < number:
            result.append((file, chance.choice(own)))
    return result


def cases(picked: Sequence[tuple[File, Function]], hosts: Sequence[str], chance: random.Random) -> list[Case]:
    """Every function in every variant."""
    result = []
    for file, function in picked:
        for variant, change in VARIANTS.items():
            result.append(Case(variant, function.name, place(file), change(function.source, chance)))
        host = chance.choice(hosts)
        result.append(Case("embedded", function.name, place(file), embedded(function.source, host, chance)))
    return result


def paths_of(result: SearchResult, hit: int) -> list[str]:
    return [occurrence.path for occurrence in result.hits[hit].occurrences]


def failure(case: Case, result: SearchResult) -> str | None:
    """Why a case failed, or None if it did not."""
    if case.path is None:
        if not result.hits:
            return None
        first = result.hits[0]
        return f"found {paths_of(result, 0)[0]}, score {first.score:.1f}, containment {first.containment:.2f}"
    ranks = [rank for rank in range(len(result.hits)) if case.path in paths_of(result, rank)]
    if ranks[:1] == [0]:
        return None
    if result.query.needed is not None:
        return f"too short: {result.query.tokens} tokens"
    if not result.hits:
        return f"nothing found, of {result.query.tokens} tokens as {result.query.language}"
    instead = f"first is {paths_of(result, 0)[0]}, score {result.hits[0].score:.1f}"
    if not ranks:
        return f"not among {len(result.hits)} hits; {instead}"
    return f"rank {ranks[0] + 1}, score {result.hits[ranks[0]].score:.1f}; {instead}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finding", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--files", type=int, default=1000, help="that are indexed (default: %(default)d)")
    parser.add_argument("--functions", type=int, default=20, help="that are looked up (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=SEED, help="of every choice (default: %(default)d)")
    options = parser.parse_args()
    found = projects(corpus_folder(options.corpus))
    held_out = [project for project in found if project.name == HELD_OUT]
    chance = random.Random(options.seed)
    files = chosen_files([project for project in found if project.name != HELD_OUT], options.files, options.seed)
    others = chosen_files(held_out, options.files, options.seed)
    hosts = [text for file in others if is_host(text := file.content.decode("utf-8", "replace"), HOST_LINES)]
    queries = cases(chosen_functions(files, options.functions, chance), hosts, chance)
    unknown = chosen_functions(others, options.functions, chance)
    queries += [Case("not indexed", function.name, None, function.source) for _, function in unknown]
    right: dict[str, list[bool]] = {}
    tokens: dict[str, list[int]] = {}
    failures = []
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        for file in files:
            path = Path(scratch, "files", place(file))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        wherefrom.index_sources([str(Path(scratch, "files"))], Path(scratch, "index"), jobs=1)
        with wherefrom.open_index(Path(scratch, "index")) as opened:
            blobs = opened.stats().blobs
            for case in queries:
                result = opened.search(case.code)
                reason = failure(case, result)
                right.setdefault(case.variant, []).append(reason is None)
                tokens.setdefault(case.variant, []).append(result.query.tokens)
                if reason:
                    failures.append(f"- {case.variant} {case.name} ({case.path or HELD_OUT}): {reason}")
        shutil.rmtree(Path(scratch, "files"))
    print(f"{blobs} blobs; {options.functions} functions; seed {options.seed}.\n")
    rows = [
        (variant, f"{sum(values)} of {len(values)}", f"{percentile(tokens[variant], 0.5):.0f}")
        for variant, values in right.items()
    ]
    print(table(("variant", "right", "tokens, p50"), rows))
    if failures:
        print("\n" + "\n".join(failures))
    copies = [each for variant, values in right.items() if variant != "not indexed" for each in values]
    finish(
        [
            Target("true file first", sum(copies) / len(copies), LEAST_FIRST, at_least=True),
            Target(
                "not indexed, and without a hit",
                sum(right["not indexed"]),
                options.functions,
                at_least=True,
            ),
        ]
    )


if __name__ == "__main__":
    main()

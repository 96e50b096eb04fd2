"""What watched snippets cost an indexing run, and how many edited copies of them a run finds.

    python -m benchmarks.watch cost --clones CLONES --indexed OWNER/NAME ... --watched OWNER/NAME ... --added OWNER/NAME
    python -m benchmarks.watch found --clones CLONES --indexed OWNER/NAME ... --functions 200 --seed 1

`cost` makes an index, watches for the functions of some projects, and adds another project, alternately with and
without the watches. It compares the processor time of all processes.

`found` watches for functions of the indexed projects, edits them in several ways, and indexes each edited one as a
file. It tells how many of those that `search` calls strong copies the run finds.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.drawing import load, mixed, picked, source_of
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.variants import Function, all_at_once, halved, renamed, text
from benchmarks.timing import Target, finish, table
from wherefrom import Strength, WatchOptions
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.errors import UsageError
from wherefrom.languages import LANGUAGES
from wherefrom.projects.watch.watches import put
from wherefrom.projects.watch.watching import watch_of

MOST_COST = 1.02

EDITS: dict[str, Callable[[Function, random.Random], str]] = {
    "as it is": lambda function, _: function.source,
    "renamed": lambda function, chance: text(renamed(function, chance)),
    "halved": lambda function, chance: text(halved(function, chance)),
    "all at once": lambda function, chance: text(all_at_once(function, chance)),
    "rewritten": rewritten,
}


def sources(clones: Path, projects: Sequence[str]) -> list[wherefrom.ListedSource]:
    """The clones of some projects, under their names."""
    return [wherefrom.ListedSource(source_of(clones, project), name=project) for project in projects]


def watch(location: Path, clones: Path, projects: Sequence[str], most: int) -> int:
    """Watches for the functions of some projects, without looking them up; returns the number of snippets."""
    made = 0
    engine = open_engine(location, schemes=scheme_ids())
    analyzer = Analyzer()
    with engine.writer() as writer:
        for number, file in enumerate(load(clones, projects)):
            try:
                made_of = watch_of(engine, f"w{number}", WatchOptions(files={file.path: file.content}), analyzer)
            except UsageError:
                continue
            put(writer, *made_of)
            made += len(made_of[0].labels)
            if made >= most:
                break
    analyzer.close()
    engine.close()
    return made


def processor_seconds(run: Callable[[], object]) -> float:
    """Processor seconds of this process and its children during a call."""
    before = os.times()
    run()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def cost(options: argparse.Namespace, folder: Path) -> None:
    """Prints the cost of watches."""
    wherefrom.index_sources(sources(options.clones, options.indexed), folder / "without")
    shutil.copytree(folder / "without", folder / "with")
    made = watch(folder / "with", options.clones, options.watched, options.snippets)
    added = sources(options.clones, [options.added])
    seconds: dict[str, list[float]] = {"without": [], "with": []}
    found = parsed = 0
    for _ in range(options.rounds):
        for kind, of_kind in seconds.items():
            shutil.copytree(folder / kind, folder / "run")
            reports: list[wherefrom.IndexReport] = []
            of_kind.append(
                processor_seconds(lambda to=reports: to.append(wherefrom.index_sources(added, folder / "run")))  # type: ignore[misc] # the default is typed by its value
            )
            found, parsed = reports[0].watched, reports[0].parsed_bytes
            shutil.rmtree(folder / "run")
    rows = [[kind, f"{statistics.median(of_kind):.2f}"] for kind, of_kind in seconds.items()]
    print(f"{made:,} snippets, {parsed:,} bytes added, {found:,} new places, {options.rounds} rounds\n")
    print(table(["watches", "processor seconds"], rows))
    ratios = [one / other for one, other in zip(seconds["with"], seconds["without"], strict=True)]
    finish([Target("with watches, for the time without", statistics.median(ratios), MOST_COST)])


def edited(options: argparse.Namespace) -> Iterator[tuple[str, str, str, str]]:
    """Draws functions; yields the name of the watch, the edit, the name of a file and its code."""
    chance = random.Random(options.seed)
    files = mixed(load(options.clones, options.indexed), chance)
    for number, pick in enumerate(islice(picked(files, chance), options.functions)):
        function = pick.function
        ending = LANGUAGES[function.language].extensions[0]
        for edit, make in EDITS.items():
            yield f"w{number}", edit, f"f{number}{ending}", make(function, chance)


def found(options: argparse.Namespace, folder: Path) -> None:
    """Prints how many edited functions a run finds."""
    location = folder / "index"
    wherefrom.index_sources(sources(options.clones, options.indexed), location)
    drawn = list(edited(options))
    with wherefrom.open_index(location) as index:
        for name, edit, file, code in drawn:
            if edit == "as it is":
                try:
                    index.watch(name, files={file: code})
                except UsageError:
                    continue
        watched = {watch.name: watch.what[0] for watch in index.watches()}
    originals = {name: code for name, edit, _, code in drawn if edit == "as it is"}
    for name, edit, file, code in drawn:
        path = folder / edit.replace(" ", "-") / f"{name}{Path(file).suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)
    for edit in EDITS:
        wherefrom.index_sources([folder / edit.replace(" ", "-")], location)
    strong, seen = Counter[str](), Counter[str]()
    with wherefrom.open_index(location) as index:
        places = {(place.watch, place.occurrence.repository, place.occurrence.path) for place in index.watched()}
        for name, edit, file, _ in drawn:
            if name not in watched:
                continue
            where = str(folder / edit.replace(" ", "-"))
            hits = index.search(originals[name], name=file, repositories=[where], limit=10_000).hits
            name_there = f"{name}{Path(file).suffix}"
            if any(
                hit.strength is Strength.STRONG and any(at.path == name_there for at in hit.occurrences) for hit in hits
            ):
                strong[edit] += 1
                seen[edit] += (name, where, name_there) in places
    rows = [[edit, f"{strong[edit]:,}", f"{seen[edit]:,}"] for edit in EDITS]
    print(table(["functions", "strong copies by search", "found by the run"], rows))
    finish([Target("found of all", seen.total() / max(strong.total(), 1), 0.98, at_least=True)])


def main() -> None:
    """Runs one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cost", "found"])
    parser.add_argument("--clones", type=Path, required=True, help="folder of the projects, as OWNER/NAME")
    parser.add_argument("--indexed", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--watched", nargs="+", default=[], metavar="OWNER/NAME")
    parser.add_argument("--added", metavar="OWNER/NAME")
    parser.add_argument("--snippets", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="watch-") as folder:
        (cost if options.what == "cost" else found)(options, Path(folder))


if __name__ == "__main__":
    main()

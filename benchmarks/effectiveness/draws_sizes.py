"""Makes indexes of several sizes for the same queries. Except for the queried files, no file is related to them.

    python -m benchmarks.effectiveness.draws_sizes fit --clones CLONES --work WORK --files 50 450 550 5000 40000

writes `WORK/N.wherefrom`, an index of N files, for each size, and `WORK/cases.jsonl` (see `drawing.Case`). The queries
are made of `QUERIED` files that are in every index; the others are of projects that are in no draw, and a larger index
has all files of a smaller one.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.drawing import Case, Drawing, Pick, picked, read
from benchmarks.effectiveness.draws import DRAWS, PIECES, cut, part_of, piece
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.variants import halved, renamed, text
from wherefrom.sources.listed import ListedSource

OTHERS = (
    *("sympy/sympy", "apache/kafka", "spring-projects/spring-framework"),
    *("symfony/symfony", "rails/rails", "hashicorp/terraform", "babel/babel", "hibernate/hibernate-orm"),
)
QUERIED, QUERIES = 40, 300
REPOSITORY = "queried"


def cases(drawing: Drawing, picks: Iterable[Pick]) -> Iterator[Case]:
    """Functions and pieces of these files, as they are and changed. Only the file that a query is from is right."""
    chance = drawing.chance("sizes")
    for pick in picks:
        function, codes = pick.function, pick.codes
        made = [
            ("function, as it is", function.source, codes),
            ("function, locals renamed", text(renamed(function, chance)), codes),
            ("function, half", text(halved(function, chance)), codes),
            ("function, rewritten", rewritten(function, chance), codes),
        ]
        for lines in PIECES:
            span = piece(function, lines, chance)
            if span is not None:
                part = codes[span[0] : span[1]]
                made.append((f"{lines} lines, as it is", cut(function.tokens, *span), part))
                made.append((f"{lines} lines, rewritten", rewritten(part_of(function, *span), chance), part))
        place = {"repository": REPOSITORY, "path": f"{pick.file.project}/{pick.file.path}"}
        for kind, code, tokens in made:
            yield replace(drawing.case(kind, pick.file, code, tokens), places=[place], near=[])


def write(files: Iterable[tuple[str, str, bytes]], folder: Path) -> None:
    """Writes files into a folder, each below the name of its project."""
    for project, path, content in files:
        (folder / project / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / project / path).write_bytes(content)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.draws_sizes", description=__doc__)
    parser.add_argument("draw", choices=DRAWS)
    parser.add_argument("--clones", type=Path, required=True, help="folder of the projects, as OWNER/NAME")
    parser.add_argument("--work", type=Path, required=True, help="folder for the indexes and the cases")
    parser.add_argument("--files", type=int, nargs="+", required=True, help="of the indexes, ascending")
    options = parser.parse_args()
    work, clones = options.work, options.clones
    drawing = Drawing(DRAWS[options.draw], clones)
    picks = list(islice(picked(drawing.indexed, drawing.chance("sizes: files")), QUERIED))
    work.mkdir(parents=True, exist_ok=True)
    with (work / "cases.jsonl").open("w") as written:
        written.writelines(json.dumps(asdict(case)) + "\n" for case in islice(cases(drawing, picks), QUERIES))
    write(((pick.file.project, pick.file.path, pick.file.content) for pick in picks), work / "files" / REPOSITORY)
    others = list(read(clones, OTHERS))
    if QUERIED + len(others) < options.files[-1]:
        parser.error(f"there are only {QUERIED + len(others):,} files; name fewer, or more projects in OTHERS")
    random.Random(DRAWS[options.draw].seed).shuffle(others)
    sources, known, before = [ListedSource(work / "files" / REPOSITORY, name=REPOSITORY)], 0, None
    for size in options.files:
        name = f"others {size}"
        write(others[known : size - QUERIED], work / "files" / name)
        known = size - QUERIED
        index = work / f"{size}.wherefrom"
        if before is not None:
            shutil.copytree(before, index)
        wherefrom.index_sources([*sources, ListedSource(work / "files" / name, name=name)], index)
        sources, before = [], index
        with wherefrom.open_index(index) as opened:
            print(f"{index}: {opened.stats().blobs:,} contents", flush=True)


if __name__ == "__main__":
    main()

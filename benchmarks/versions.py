"""Whether `releases` finds the version that a vendored folder is from.

    python -m benchmarks.versions CLONE...

A server on this machine offers tags of each clone as packages, which are indexed. Then folders are drawn from these
tags, every second one with small changes: a line replaced, a file added, a file left out. A release is right if it is
the tag, or if the whole folder is the same there as at the tag.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import wherefrom
from benchmarks.packages import Tagged, published, tagged
from benchmarks.timing import table
from tests.sources.packages.registries import serving
from wherefrom.queries.folders import is_code

LEAST, MOST = 3, 60
"""A drawn folder has this many files of code."""


def drawn(versions: Sequence[Tagged], chance: random.Random) -> tuple[Tagged, str]:
    """A version and one of its folders with code. Projects are equally probable, and so are their versions."""
    by_project: defaultdict[str, list[Tagged]] = defaultdict(list)
    for one in versions:
        by_project[one.project].append(one)
    while True:
        chosen = chance.choice(by_project[chance.choice(sorted(by_project))])
        counts: defaultdict[str, int] = defaultdict(int)
        for path in filter(is_code, chosen.files):
            parts = path.split("/")[:-1]
            for depth in range(1, len(parts) + 1):
                counts["/".join(parts[:depth])] += 1
        if fitting := sorted(path for path, count in counts.items() if LEAST <= count <= MOST):
            return chosen, chance.choice(fitting)


def edited(files: Mapping[str, bytes], chance: random.Random) -> dict[str, bytes]:
    """A folder with a line replaced in one or two files, a file added and a file left out."""
    changed = dict(files)
    code = sorted(filter(is_code, files))
    chance.shuffle(code)
    del changed[code[0]]
    for path in code[1 : chance.randint(2, 3)]:
        lines = changed[path].splitlines(keepends=True) or [b"\n"]
        lines[chance.randrange(len(lines))] = b"int patched_here = 1;\n"
        changed[path] = b"".join(lines)
    changed["local_notes.py"] = b"def local(value):\n    return value + 1\n"
    return changed


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", type=int, default=100)
    parser.add_argument("--tags", type=int, default=20, help="versions of each clone")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    versions = [one for clone in given.clones for one in tagged(clone, given.tags)]
    by_purl = {one.purl: one for one in versions}
    with tempfile.TemporaryDirectory(prefix="versions-") as made, serving() as server:
        os.environ |= published(versions, server)
        begin = time.perf_counter()
        report = wherefrom.index_sources([*by_purl], Path(made, "index"), cache=Path(made, "cache"))
        failed = [one for one in report.repositories if one.error]
        print(f"{len(versions)} packages, {len(failed)} failed, {time.perf_counter() - begin:.0f} s to index")
        rows = []
        with wherefrom.open_index(Path(made, "index")) as index:
            ranks: dict[bool, list[int]] = {False: [], True: []}
            took: dict[bool, list[float]] = {False: [], True: []}
            for number in range(given.folders):
                is_edited = number % 2 == 1
                one, path = drawn(versions, chance)
                original = one.folder(path)
                result = index.releases(edited(original, chance) if is_edited else original, limit=10)
                keys = [release.occurrence.repository for release in result.releases]
                right = [
                    at for at, key in enumerate(keys, 1) if key == one.purl or by_purl[key].folder(path) == original
                ]
                ranks[is_edited].append(right[0] if right else 99)
                took[is_edited].append(result.took_ms)
                if not right or right[0] > 1:
                    print(f"{one.purl} {path}: rank {right[:1]}, first {keys[:1]}", flush=True)
        for is_edited, found in ranks.items():
            counted = [sum(rank <= least for rank in found) for least in (1, 3)]
            name = "with small changes" if is_edited else "as they were"
            rows.append((name, str(len(found)), *map(str, counted), f"{median(took[is_edited]):.0f}"))
        ranks_of_all = [rank for found in ranks.values() for rank in found]
        counted = [sum(rank <= least for rank in ranks_of_all) for least in (1, 3)]
        took_ms = f"{median([ms for each in took.values() for ms in each]):.0f}"
        rows.append(("all", str(len(ranks_of_all)), *map(str, counted), took_ms))
        print(table(("folders", "number", "right one first", "among the first three", "ms, p50"), rows))


if __name__ == "__main__":
    main()

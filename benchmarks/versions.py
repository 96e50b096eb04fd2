"""Whether `releases` finds the version that a vendored folder is from.

    python -m benchmarks.versions CLONE...

A server on this machine offers tags of each clone as packages, which are indexed. Then folders are drawn from these
tags, every second one with small changes: a line replaced, a file added, a file left out. A release is right if it is
the tag, or if the whole folder is the same there as at the tag.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import subprocess
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import wherefrom
from benchmarks.timing import table
from tests.sources.packages.registries import pypi_file, serving, tar
from wherefrom.queries.folders import is_code

TAG = re.compile(r"(?:\D*[-_/])?v?(\d+(?:\.\d+){1,3})")
"""A tag of a version; tags of candidates and other names are left out."""

LARGEST = 300_000
"""Files with more bytes are left out, as data and bundles."""

LEAST, MOST = 3, 60
"""A drawn folder has this many files of code."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A version of a project, with its files by path."""

    project: str
    version: str
    day: str
    files: Mapping[str, bytes]

    @property
    def purl(self) -> str:
        """The key of its package."""
        return f"pkg:pypi/{self.project}@{self.version}"

    def folder(self, path: str) -> dict[str, bytes]:
        """The files below a folder, by their paths in it."""
        return {name[len(path) + 1 :]: text for name, text in self.files.items() if name.startswith(f"{path}/")}


def tagged(clone: Path, most: int) -> list[Tagged]:
    """At most this many versions of a clone, evenly spread over its tags."""

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", "-C", str(clone), *arguments], check=True, capture_output=True).stdout

    project = (clone.parent if clone.name == "repo" else clone).name.rpartition("+")[2].lower()
    lines = git("for-each-ref", "--sort=creatordate", "--format=%(refname:strip=2) %(creatordate:short)", "refs/tags")
    versions: dict[str, tuple[str, str]] = {}
    for line in lines.decode().splitlines():
        name, day = line.rsplit(" ", 1)
        if match := TAG.fullmatch(name):
            versions.setdefault(match[1], (name, day))
    chosen = [*versions.items()][:: max(1, len(versions) // most)][:most]
    found = []
    for version, (name, day) in chosen:
        try:
            packed = git("archive", name)
        except subprocess.CalledProcessError:
            continue  # the clone lacks some of its contents
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            members = [member for member in archive if member.isfile() and member.size <= LARGEST]
            files = {member.name: read.read() for member in members if (read := archive.extractfile(member))}
        found.append(Tagged(project, version, day, files))
    return found


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
        os.environ |= {"PIP_INDEX_URL": f"{server.url}/simple/", "no_proxy": "127.0.0.1"}
        files: defaultdict[str, list[object]] = defaultdict(list)
        for one in versions:
            stem = f"{one.project}-{one.version}"
            archive = tar({f"{stem}/{path}": text for path, text in one.files.items()})
            files[one.project].append(pypi_file(server, f"{stem}.tar.gz", archive, **{"upload-time": one.day}))
        for project, listed in files.items():
            server.put(f"/simple/{project}/", {"files": listed})
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

"""What a published index of many packages costs, and bringing it up to date.

    python -m benchmarks.package_parts CLONE... --packages 2000 --parts 4

A server on this machine offers tags of the clones as packages, each under a name of its own. A list of their names is
indexed in parts, as if each were on a machine of its own. The parts are joined and published. Then every hundredth
package gets a new version, and all is done again. Cold searches by URL have 50 ms added to each request and connection.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from packaging.utils import canonicalize_name

import wherefrom
from benchmarks.packages import Tagged, published, tagged
from benchmarks.published import LINES, delayed, print_cold, serving
from benchmarks.timing import table
from tests.sources.packages.registries import Server
from tests.sources.packages.registries import serving as serving_packages

CODE = (".py", ".js", ".ts", ".java", ".go", ".rs", ".c", ".rb")


def timed(*arguments: str | Path) -> tuple[float, float]:
    """Runs wherefrom; the seconds, and those of processors."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "wherefrom", *arguments, "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begin, processor


def offered(clones: Sequence[Path], number: int, server: Server) -> Iterator[tuple[str, int, list[bytes]]]:
    """Offers tags as packages, each with a name of its own: the name, the bytes of its files, and those with code."""
    made = 0
    for clone in clones:
        for one in tagged(clone, number // len(clones) + 20):
            if made == number:
                return
            named = replace(one, project=canonicalize_name(f"{one.project}-{made}"))
            os.environ |= published([named], server)
            files = [text for path, text in one.files.items() if path.endswith(CODE) and text.count(b"\n") > 3 * LINES]
            yield named.project, sum(map(len, one.files.values())), files
            made += 1


def renew(name: str, server: Server) -> None:
    """Gives a package a new version."""
    files = {"new.py": b"def newest(values):\n    return sorted(values)[-1]\n"}
    published([Tagged(name, "99.0", "2026-01-01", files)], server)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--packages", type=int, default=2000)
    parser.add_argument("--parts", type=int, default=4)
    given = parser.parse_args()
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="package-parts-") as made, serving_packages() as server:
        folder, names, size, pairs = Path(made), [], 0, []
        for name, size_of_files, files in offered(given.clones, given.packages, server):
            names.append(name)
            size += size_of_files
            if files and chance.random() < 0.05:
                lines = chance.choice(files).splitlines(keepends=True)
                begin = chance.randrange(len(lines) - 2 * LINES)
                pairs.append((b"".join(lines[begin:][:LINES]), b"".join(lines[begin + LINES :][:LINES])))
        print(f"{len(names):,} packages, {size / 1e6:,.0f} MB of files", flush=True)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        (folder / "list.txt").write_text("".join(f"pkg:pypi/{name}\n" for name in names))
        parts = [folder / f"part-{number}" for number in range(1, given.parts + 1)]
        rows = []

        def row(name: str, *runs: tuple[float, float]) -> None:
            rows.append((name, *(f"{sum(of):.0f}" for of in zip(*runs, strict=True)), f"{len(server.asked):,}"))
            server.asked.clear()
            print(rows[-1], flush=True)

        for again in ("", ", with 1% new"):
            options: list[str | Path] = ["--from", folder / "list.txt", "--discard-clones", "--keep-source"]
            runs = [
                timed("index", *options, "--part", f"{number}/{given.parts}", "--index", part)
                for number, part in enumerate(parts, 1)
            ]
            row(f"`index`, {given.parts} parts{again}", *runs)
            row(f"`copy`{again}", timed("copy", *parts, folder / "all"))
            row(f"`publish`{again}", timed("publish", folder / "all", folder / "www"))
            for name in names[::100]:
                renew(name, server)
        with wherefrom.open_index(folder / "all") as index:
            stats = index.stats(verify=True)
            print(f"{len(index.repositories()):,} packages, {stats.blobs:,} contents", end=", ")
            print(f"{stats.size / 1e6:,.0f} MB of them, index {(stats.stored or 0) / 1e6:,.0f} MB")
        print(f"published {wherefrom.publish_index(folder / 'all', folder / 'www').size / 1e6:,.0f} MB")
        print(table(("run", "seconds", "processor, s", "requests"), rows))
        with serving(folder / "www") as own, delayed(own) as address:
            print_cold(address, pairs[:30], folder / "kept")


if __name__ == "__main__":
    main()

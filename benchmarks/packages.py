"""How fast the packages of a lock file are indexed, and whether a killed run goes on.

    python -m benchmarks.packages CLONE... --packages 1000

A server on this machine offers tags of the clones as packages, each under a name of its own. A lock file names all of
them. `wherefrom index --from` is killed when it has indexed a third of them, and run again. Then it is run in one go on
another index, and once more when nothing is new.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import psutil

import wherefrom
from benchmarks.timing import table
from tests.sources.packages.registries import Server, pypi_file, serving, tar

TAG = re.compile(r"(?:\D*[-_/])?v?(\d+(?:\.\d+){1,3})")
"""A tag of a version; tags of candidates and other names are left out."""

LARGEST = 300_000
"""Files with more bytes are left out, as data and bundles."""


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

    @property
    def stem(self) -> str:
        """The name of its archive without the ending."""
        return f"{self.project}-{self.version}"

    def archive(self) -> bytes:
        """Its archive."""
        return tar({f"{self.stem}/{path}": text for path, text in self.files.items()})

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


def published(versions: Sequence[Tagged], server: Server) -> dict[str, str]:
    """Offers versions as sdists; returns the variables that tell pip where they are."""
    files: defaultdict[str, list[object]] = defaultdict(list)
    for one in versions:
        archive = one.archive()
        files[one.project].append(pypi_file(server, f"{one.stem}.tar.gz", archive, **{"upload-time": one.day}))
    for project, listed in files.items():
        server.put(f"/simple/{project}/", {"files": listed})
    return {"PIP_INDEX_URL": f"{server.url}/simple/", "no_proxy": "127.0.0.1"}


def indexing(lock: Path, folder: Path) -> list[str]:
    """The command that indexes a lock file."""
    program = [sys.executable, "-m", "wherefrom", "--index", str(folder / "index")]
    return [*program, "index", "--from", str(lock), "--quiet"]


def run(lock: Path, folder: Path, *, stop_at: int | None = None) -> tuple[float, float]:
    """Indexes a lock file, and kills the run when the index has `stop_at` packages; seconds, and processor time."""
    begin = time.perf_counter()
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
    process = psutil.Popen(indexing(lock, folder), stdout=subprocess.DEVNULL, env=environment)
    processor = 0.0
    while process.poll() is None:
        try:
            times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
        except psutil.NoSuchProcess:
            continue
        own = times[0]
        ended = own.children_user + own.children_system
        processor = max(processor, ended + sum(one.user + one.system for one in times))
        if stop_at is not None and indexed(folder) >= stop_at:
            for one in (*process.children(recursive=True), process):
                one.send_signal(signal.SIGKILL)
            process.wait()
        time.sleep(0.2)
    if stop_at is None and process.returncode:
        sys.exit(f"indexing failed with exit code {process.returncode}")
    return time.perf_counter() - begin, processor


def indexed(folder: Path) -> int:
    """The number of packages in an index; 0 if there is none yet."""
    try:
        with wherefrom.open_index(folder / "index") as index:
            return len(index.repositories())
    except wherefrom.WherefromError:
        return 0


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--packages", type=int, default=1000)
    given = parser.parse_args()
    found = [one for clone in given.clones for one in tagged(clone, given.packages // len(given.clones) + 20)]
    versions = [replace(one, project=f"{one.project}-{number}") for number, one in enumerate(found[: given.packages])]
    size = sum(len(content) for one in versions for content in one.files.values())
    with tempfile.TemporaryDirectory(prefix="packages-") as made, serving() as server:
        os.environ |= published(versions, server)
        packed = [(one, sha256(server.answers[f"/files/{one.stem}.tar.gz"][0].body).hexdigest()) for one in versions]
        lock = Path(made, "requirements.txt")
        lock.write_text("".join(f"{one.project}=={one.version} --hash=sha256:{digest}\n" for one, digest in packed))
        killed, whole = Path(made, "killed"), Path(made, "whole")
        rows = []
        for name, folder, stop_at in (
            ("killed", killed, len(versions) // 3),
            ("going on", killed, None),
            ("in one go", whole, None),
            ("again", whole, None),
        ):
            before = len(server.asked)
            seconds, processor = run(lock, folder, stop_at=stop_at)
            number = indexed(folder)
            asked = len(server.asked) - before
            rows.append((name, f"{number:,}", f"{seconds:.0f}", f"{processor:.0f}", f"{asked:,}"))
            print(rows[-1], flush=True)
        with wherefrom.open_index(killed / "index") as one, wherefrom.open_index(whole / "index") as other:
            one.stats(verify=True)
            same = [[*index.files(key.key)] for index in (one, other) for key in index.repositories()]
            half = len(same) // 2
            print(f"the files of both indexes are {'equal' if same[:half] == same[half:] else 'different'}")
            stored = other.stats().stored or 0
        print(f"{len(versions):,} packages, {size / 1e6:,.0f} MB of files, index {stored / 1e6:,.0f} MB")
        print(table(("run", "packages", "seconds", "processor, s", "requests"), rows))


if __name__ == "__main__":
    main()

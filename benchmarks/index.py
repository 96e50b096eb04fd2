"""Indexing the whole corpus: throughput against bare parsing, memory over time, size on disk, and indexing again.

*Throughput against bare parsing* is bytes indexed a second by the whole run (list, read, parse, fingerprint, write,
commit), divided by worker processes times bytes that one process parses a second with bare Tree-sitter. Both count the
same contents: those in a language with a grammar; other contents (prose) only lengthen the run. *Of all processor time*
is the same ratio with the processor seconds of all processes of the run, which depend little on other programs.

With `--server` the corpus is indexed into Elasticsearch alone; the work of the server is not counted.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.fingerprint import bare_parser, parse_all
from benchmarks.memory import Finished, run
from benchmarks.timing import Target, finish, table
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.languages import LANGUAGES
from wherefrom.model import BlobDocument

LEAST_RATIO = 0.4
MOST_MEMORY = 500.0
MOST_GROWTH = 1.25
MOST_SIZE, MOST_SIZE_WITH_SOURCE = 0.47, 0.75
MOST_SECONDS_AGAIN = 10.0

WIDTHS = (48, 40)

PARTS = {".run": "postings", ".sqlite": "token streams, records"}
"""The parts of an index that the files with these endings contain."""

COMMIT_BYTES = 128 * 1024 * 1024
"""The value that an indexing run uses."""


LEAST_RATIO_SERVER = 0.35


def index(repositories: Path, folder: Path | str, *more: str) -> Finished:
    """Runs `wherefrom index` to its end; exits if it fails."""
    command = [sys.executable, "-m", "wherefrom", "index", str(repositories), "--index", str(folder), "--quiet", *more]
    finished = run(command)
    if finished.code:
        sys.exit(f"indexing failed: {finished.stderr.strip()}")
    return finished


def bare_contents(engine: Engine) -> dict[str, list[bytes]]:
    """The distinct indexed contents in each language that has a grammar."""
    roots = {record.key: Path(record.location) for record in engine.repositories()}
    places = {each.blob: roots[each.repository] / each.path for each in engine.occurrences()}
    contents: dict[str, list[bytes]] = defaultdict(list)
    for blob in engine.stored_blobs():
        # Paths that are not UTF-8 are percent-encoded, so their files are not found. They are few and left out.
        if LANGUAGES[blob.language].grammar and places[blob.blob].is_file():
            contents[blob.language].append(places[blob.blob].read_bytes())
    return contents


def bare_seconds(contents: dict[str, list[bytes]]) -> float:
    """Processor seconds of bare parsing in this one process."""
    begin = time.process_time()
    for language, files in contents.items():
        parse_all(bare_parser(language), files)
    return time.process_time() - begin


def index_into_server(repositories: Path, location: str) -> Target:
    """Indexes into a server's index, which must be empty, with one worker."""
    finished = index(repositories, location, "--jobs", "1")
    with closing(open_engine(location, schemes=scheme_ids())) as engine:
        stats, contents = engine.stats(), bare_contents(engine)
    parsed = sum(len(content) for files in contents.values() for content in files)
    bare = statistics.median(bare_seconds(contents) for _ in range(3))
    print(
        f"{stats.blobs:,} blobs, {stats.size / 1e6:.1f} MB; {parsed / 1e6:.1f} MB of it have a grammar: "
        f"{finished.processor:.1f} s of processors, {finished.seconds:.1f} s in all; bare parsing {bare:.1f} s.\n"
    )
    return Target(
        "bare parsing / indexing into a server, processor time",
        bare / finished.processor,
        LEAST_RATIO_SERVER,
        at_least=True,
    )


def parts_of(folder: Path) -> dict[str, int]:
    """The bytes on disk of each part of an index."""
    sizes = dict.fromkeys([*PARTS.values(), "the rest"], 0)
    for path in folder.rglob("*"):
        if path.is_file():
            sizes[PARTS.get(path.suffix, "the rest")] += path.stat().st_size
    return sizes


def rewrite(engine: Engine, folder: Path, bits: int) -> dict[str, int]:
    """The sizes of the parts of an index of the same blobs, without occurrences, that has terms of `bits` bits."""
    with (
        closing(open_engine(folder, schemes=scheme_ids(), create=True, term_bits=bits)) as variant,
        variant.writer() as writer,
    ):
        uncommitted = 0
        for blob in engine.stored_blobs():
            terms = document_terms(decode(blob.tokens))
            writer.add_blobs([BlobDocument(dataclasses.replace(blob, source=None, references=b""), terms)])
            uncommitted += blob.size
            if uncommitted >= COMMIT_BYTES:
                writer.commit()
                uncommitted = 0
    return parts_of(folder)


def size_rows(parts: dict[str, dict[str, int]], source: int) -> list[list[str]]:
    """Rows of bytes for each byte of source."""
    return [
        [name, *(f"{value / source:.3f}" for value in sizes.values()), f"{sum(sizes.values()) / source:.3f}"]
        for name, sizes in parts.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.index", description=__doc__)
    add_corpus_option(parser)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="worker processes (default: 1 and 2)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the index here, for benchmarks.search")
    parser.add_argument("--quick", action="store_true", help="leave out the index with sources and the term widths")
    parser.add_argument("--server", metavar="LOCATION", help="an empty index, such as elasticsearch://HOST:9200/NAME")
    options = parser.parse_args()
    corpus = corpus_folder(options.corpus)
    repositories = projects(corpus)[0].folder.parent
    if options.server:
        finish([index_into_server(repositories, options.server)])
        return
    targets = []
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-", dir=corpus) as scratch:
        runs = {jobs: index(repositories, Path(scratch, f"jobs-{jobs}"), "--jobs", str(jobs)) for jobs in options.jobs}
        folder = Path(scratch, f"jobs-{options.jobs[-1]}")
        again = index(repositories, folder)
        with closing(open_engine(folder, schemes=scheme_ids())) as engine:
            stats = engine.stats()
            contents = bare_contents(engine)
            parsed = sum(len(content) for files in contents.values() for content in files)
            bare = parsed / statistics.median(bare_seconds(contents) for _ in range(3)) / 1e6
            del contents
            tokens = sum(len(blob.tokens) for blob in engine.stored_blobs())
            rows = []
            for jobs, finished in runs.items():
                speed = parsed / finished.seconds / 1e6
                targets += [
                    Target(
                        f"indexing / bare parsing / processes, {jobs} workers",
                        speed / jobs / bare,
                        LEAST_RATIO,
                        at_least=True,
                    ),
                    Target(f"peak memory, {jobs} workers", finished.peak / 1e6, MOST_MEMORY, unit=" MB"),
                    Target(f"anonymous memory, last / middle third, {jobs} workers", finished.growth, MOST_GROWTH),
                ]
                rows.append(
                    (
                        *(str(jobs), f"{finished.seconds:.0f}", f"{speed:.1f}", f"{bare:.1f}"),
                        *(f"{speed / jobs / bare:.2f}", f"{parsed / finished.processor / 1e6 / bare:.2f}"),
                        *(f"{finished.peak / 1e6:.0f}", f"{finished.growth:.2f}"),
                    )
                )
            print(f"{stats.blobs:,} blobs, {stats.size / 1e6:.1f} MB; {parsed / 1e6:.1f} MB of it have a grammar.\n")
            print(
                table(
                    (
                        "workers",
                        "s",
                        "MB/s",
                        "bare MB/s",
                        "ratio",
                        "of all processor time",
                        "peak MB",
                        "last / middle third",
                    ),
                    rows,
                )
            )
            print(
                f"\nIndexing it again: {again.seconds:.1f} s. "
                f"Token streams before they are stored: {tokens / stats.size:.3f} bytes for each byte of source.\n"
            )
            targets.append(Target("indexing again", again.seconds, MOST_SECONDS_AGAIN, unit=" s"))
            parts = {"as indexed": parts_of(folder)}
            targets.append(
                Target("index bytes / source bytes", sum(parts["as indexed"].values()) / stats.size, MOST_SIZE)
            )
            if not options.quick:
                for bits in WIDTHS:
                    parts[f"{bits}-bit terms, no occurrences"] = rewrite(engine, Path(scratch, f"bits-{bits}"), bits)
                index(repositories, Path(scratch, "source"), "--keep-source")
                parts["with source"] = parts_of(Path(scratch, "source"))
                kept = sum(parts["with source"].values()) / stats.size
                targets.append(Target("index bytes / source bytes, with source", kept, MOST_SIZE_WITH_SOURCE))
            print(
                table(
                    ("bytes for each byte of source", *PARTS.values(), "the rest", "all"), size_rows(parts, stats.size)
                )
            )
        if options.keep:
            shutil.rmtree(options.keep, ignore_errors=True)
            shutil.copytree(folder, options.keep)
    finish(targets)


if __name__ == "__main__":
    main()

"""Throughput beside the peers on one corpus; size and search latency of indexes of growing size.

*Throughput* is bytes a second of processor time, one thread each, of what turns files into fingerprints; medians of
interleaved runs, ratios taken round by round. The peers do different work in that time, which the table describes.

*Growth*: indexes of the given numbers of postings are made of synthetic blobs with the term statistics of real code
(`benchmarks.synthesis`).
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import wherefrom
from benchmarks import pages
from benchmarks.corpus import Project, add_corpus_option, corpus_folder, projects
from benchmarks.files import File, sources
from benchmarks.fingerprint import bare_parser, fingerprint_all, parse_all
from benchmarks.memory import run as run_command
from benchmarks.peer_environments import add_peers_option, peers_folder, runnable, versions
from benchmarks.peer_list import Peer
from benchmarks.peers import ask
from benchmarks.plots import drawn
from benchmarks.search import STEPS
from benchmarks.synthesis import LANGUAGE_NAMES, Collection, batches, finish, postings_of, write
from benchmarks.timing import Steps, percentile, ratio, table
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.languages import LANGUAGES
from wherefrom.model import BlobDocument

THROUGHPUT_LANGUAGES = (*LANGUAGE_NAMES, "javascript")
OURS = "wherefrom"

COMMIT_POSTINGS = 4_000_000


def written(files: Sequence[File], language: str, folder: Path) -> Path:
    """Writes the files into a new folder, with numbers for names."""
    folder.mkdir(parents=True)
    for number, file in enumerate(files):
        ending = next(each for each in LANGUAGES[language].extensions if file.path.endswith(each))
        (folder / f"{number:05}{ending}").write_bytes(file.content)
    return folder


def processor_seconds(run: Callable[[], object]) -> float:
    """The processor seconds of this process for a call."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def indexing_seconds(folder: Path, scratch: Path) -> float:
    """The processor seconds of a whole `wherefrom index` with one worker, start and imports included."""
    with tempfile.TemporaryDirectory(dir=scratch) as index:
        command = [
            sys.executable,
            "-m",
            "wherefrom",
            "index",
            str(folder),
            "--index",
            f"{index}/i",
            "--jobs",
            "1",
            "--quiet",
        ]
        finished = run_command(command)
    if finished.code:
        sys.exit(f"indexing failed: {finished.stderr.strip()}")
    return finished.processor


def throughputs(
    files: Sequence[File], language: str, rounds: int, peers: Path, ready: Mapping[str, Peer]
) -> dict[str, tuple[float, float]]:
    """For each tool MB/s and its ratio to wherefrom; a peer that fails is reported and left out."""
    size = sum(len(file.content) for file in files)
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = written(files, language, Path(scratch, "files"))
        contents = [file.content for file in files]
        runs: dict[str, Callable[[], float]] = {
            OURS: partial(processor_seconds, partial(fingerprint_all, files)),
            "bare Tree-sitter": partial(processor_seconds, partial(parse_all, bare_parser(language), contents)),
            "`wherefrom index`": partial(indexing_seconds, folder, Path(scratch)),
        }
        for name, peer in ready.items():
            if peer.knows(language):
                runs[name] = partial(_peer_seconds, peer, peers, folder, language)
        fingerprint_all(files[:20])
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name in list(runs):
                try:
                    seconds[name].append(runs[name]())
                except subprocess.SubprocessError as error:
                    print(f"{name} failed on {language}: {error}", file=sys.stderr)
                    del runs[name]
    return {name: (size / 1e6 / statistics.median(seconds[name]), ratio(seconds[OURS], seconds[name])) for name in runs}


def _peer_seconds(peer: Peer, peers: Path, folder: Path, language: str) -> float:
    return ask(peer, peers, folder, None, peer.options(peer.default, language)).seconds


def throughput_report(found: Sequence[Project], megabytes: float, rounds: int, peers: Path) -> str:
    """The table of throughputs, and the tools that were not run."""
    ready, absent = runnable(peers)
    files = {language: sources(found, language, megabytes) for language in THROUGHPUT_LANGUAGES}
    measured = {name: throughputs(chosen, name, rounds, peers, ready) for name, chosen in files.items()}
    what = {
        OURS: "parsing with Tree-sitter, tokens, k-grams of every representation, winnowing, terms",
        "bare Tree-sitter": "parsing alone",
        "`wherefrom index`": "the whole command with `--jobs 1` and its start: the above, token streams, commit",
        **{name: peer.fingerprinting for name, peer in ready.items()},
    }
    rows = []
    for name, does in what.items():
        cells = [measured[language].get(name) for language in THROUGHPUT_LANGUAGES]
        rows.append([name, *(f"{cell[0]:.2f} ({cell[1]:.2f})" if cell else "failed" for cell in cells), does])
    sizes = ", ".join(
        f"{name} {len(chosen)} files, {sum(len(file.content) for file in chosen) / 1e6:.1f} MB"
        for name, chosen in files.items()
    )
    head = ("tool", *(f"{language}, MB/s (x wherefrom)" for language in THROUGHPUT_LANGUAGES), "what is timed")
    skipped = [f"\nNot run: {name}: {why}." for name, why in absent.items()]
    return "\n".join([f"{sizes}; {versions(ready)}.\n", table(head, rows), *skipped])


def build(folder: Path, documents: Iterator[BlobDocument], postings: int) -> tuple[int, int, float]:
    """Writes blobs with an occurrence each, up to `postings`. Returns blobs, postings and processor seconds."""
    blobs = total = uncommitted = 0
    seconds = 0.0
    with closing(open_engine(folder, schemes=scheme_ids(), create=True)) as engine, engine.writer() as writer:
        for batch in batches(documents, postings):
            begin = time.process_time()
            write(writer, batch)
            blobs += len(batch)
            total += sum(map(postings_of, batch))
            uncommitted += sum(map(postings_of, batch))
            if uncommitted >= COMMIT_POSTINGS:
                writer.commit()
                uncommitted = 0
            seconds += time.process_time() - begin
        begin = time.process_time()
        finish(writer, blobs)
        seconds += time.process_time() - begin
    return blobs, total, seconds


@dataclass(frozen=True, slots=True)
class Point:
    """The measurements at one size; latencies in ms of processor time, one for each query."""

    postings: int
    blobs: int
    building: float
    size: int
    candidates: Sequence[float]
    search: Sequence[float]
    right: int


def latencies(folder: Path, queries: Sequence[tuple[str, str]]) -> tuple[list[float], list[float], int]:
    """For each query ms of the engine's candidates and of the whole search; how many queries found their blob first."""
    candidates, search, right = [], [], 0
    steps = Steps()
    with wherefrom.open_index(folder) as opened, steps.watching({"candidates": STEPS["candidates"]}):
        for _, code in queries[:10]:
            opened.search(code)
        for blob, code in queries:
            before, begin = steps.seconds["candidates"], time.process_time()
            hits = opened.search(code).hits
            search.append((time.process_time() - begin) * 1000)
            candidates.append((steps.seconds["candidates"] - before) * 1000)
            right += bool(hits) and hits[0].blob == blob
    return candidates, search, right


def grow(found: Sequence[Project], megabytes: float, sizes: Sequence[int], number: int) -> list[Point]:
    """Builds an index of each size, measures it and removes it."""
    made = Collection.of(found, megabytes, min(sizes), number)
    points = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
            folder = Path(scratch, "index")
            blobs, postings, seconds = build(folder, made.documents(), size)
            stored = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            points.append(Point(postings, blobs, seconds, stored, *latencies(folder, made.queries)))
    return points


def growth_report(points: Sequence[Point]) -> str:
    """The table. From its second line on, each figure is followed by the exponent of the size with which it grew."""
    rows = []
    for before, point in zip((None, *points), points, strict=False):
        candidates, search = (percentile(values, 0.5) for values in (point.candidates, point.search))
        cells = [
            _grown(f"{value:.{digits}f}", value, _value(before, at), point, before)
            for at, (value, digits) in enumerate(
                ((point.building, 1), (point.size / 1e6, 1), (candidates, 2), (search, 1))
            )
        ]
        worst = [f"{percentile(values, 0.95):.1f}" for values in (point.candidates, point.search)]
        rows.append(
            (
                *(f"{point.postings:,}", f"{point.blobs:,}", *cells[:2], f"{point.size / point.postings:.1f}"),
                *(cells[2], worst[0], cells[3], worst[1], f"{point.right} of {len(point.search)}"),
            )
        )
    head = (
        *("postings", "blobs", "writing, s", "MB", "bytes / posting"),
        *("candidates p50, ms", "p95", "search p50, ms", "p95", "found first"),
    )
    return table(head, rows)


def _value(point: Point | None, at: int) -> float:
    if point is None:
        return 0.0
    values = (point.building, point.size / 1e6, percentile(point.candidates, 0.5), percentile(point.search, 0.5))
    return values[at]


def _grown(cell: str, value: float, before: float, point: Point, earlier: Point | None) -> str:
    if earlier is None or not before or not value:
        return cell
    return f"{cell} ({exponent(earlier.postings, before, point.postings, value):.2f})"


def exponent(size: float, cost: float, larger: float, greater: float) -> float:
    """The exponent with which cost grows with size: 1 means in proportion, 0 not at all."""
    return math.log(greater / cost) / math.log(larger / size)


def plot(points: Sequence[Point], path: Path) -> None:
    """Size and latency over postings, both axes logarithmic."""
    with drawn(path) as axes:
        postings = [point.postings for point in points]
        axes.loglog(
            postings, [percentile(point.candidates, 0.5) for point in points], "o-", label="candidates, p50, ms"
        )
        axes.loglog(postings, [percentile(point.search, 0.5) for point in points], "o-", label="search, p50, ms")
        axes.loglog(postings, [point.size / 1e6 for point in points], "o-", label="index, MB")
        axes.set_xlabel("postings")
        axes.legend()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    add_corpus_option(parser)
    add_peers_option(parser)
    parser.add_argument("--only", choices=("throughput", "growth"), help="one of the two parts")
    parser.add_argument("--megabytes", type=float, default=2.0, help="of each language (default: %(default)g)")
    parser.add_argument("--rounds", type=int, default=3, help="A B A B ... (default: %(default)d)")
    parser.add_argument(
        "--postings", type=int, nargs="+", default=[10**5, 10**6, 10**7], help="sizes (default: 10^5, 10^6 and 10^7)"
    )
    parser.add_argument("--snippets", type=int, default=60, help="that are searched for (default: %(default)d)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="the growth, as SVG or PNG")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="write the tables between the marks of this page")
    options = parser.parse_args()
    parts = [options.only] if options.only else ["throughput", "growth"]
    for part in parts if options.markdown else ():
        pages.check(options.markdown, part)
    found = projects(corpus_folder(options.corpus))
    state = pages.state()
    for part in parts:
        if part == "throughput":
            report = throughput_report(found, options.megabytes, options.rounds, peers_folder(options.peers))
        else:
            points = grow(found, 3 * options.megabytes, sorted(options.postings), options.snippets)
            report = growth_report(points)
            if options.plot:
                plot(points, options.plot)
        pages.publish(f"State: {state}.\n\n{report}", state, options.markdown, part)


if __name__ == "__main__":
    main()

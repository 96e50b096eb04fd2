"""Size and search latency of indexes of growing size, which are made of synthetic blobs with the term statistics of
real code (`benchmarks.synthesis`).
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks import pages
from benchmarks.corpus import Project, add_corpus_option, corpus_folder, projects
from benchmarks.plots import drawn
from benchmarks.search import STEPS
from benchmarks.synthesis import Collection, batches, finish, postings_of, write
from benchmarks.timing import Steps, percentile, table
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.model import BlobDocument

MARK = "growth"

COMMIT_POSTINGS = 4_000_000


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
    parser.add_argument("--megabytes", type=float, default=6.0, help="of each language (default: %(default)g)")
    parser.add_argument(
        "--postings", type=int, nargs="+", default=[10**5, 10**6, 10**7], help="sizes (default: 10^5, 10^6 and 10^7)"
    )
    parser.add_argument("--snippets", type=int, default=60, help="that are searched for (default: %(default)d)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="the growth, as SVG or PNG")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="write the table between the marks of this page")
    options = parser.parse_args()
    if options.markdown:
        pages.check(options.markdown, MARK)
    found = projects(corpus_folder(options.corpus))
    state = pages.state()
    points = grow(found, options.megabytes, sorted(options.postings), options.snippets)
    if options.plot:
        plot(points, options.plot)
    pages.publish(f"State: {state}.\n\n{growth_report(points)}", state, options.markdown, MARK)


if __name__ == "__main__":
    main()
